/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

/** Lines about a cluster without work. */
final class IdleLines {

    private IdleLines() {}

    /** What a cluster without work asks of the store and of processors. */
    static void idle(Subject subject) throws Exception {
        int workers = subject.cluster().size();
        Thread.sleep(5_000);
        double commitsBefore = subject.commits();
        double versionsBefore = subject.cluster().storeMetric("ratchet_store_requests_total{kind=\"read_version\"}");
        long cpuBefore = subject.otherCpuNanos();
        long began = System.nanoTime();
        Thread.sleep(subject.extent().quick() ? 20_000 : 60_000);
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpu = (subject.otherCpuNanos() - cpuBefore) / 1e3 / seconds / workers;
        double versions = subject.cluster().storeMetric("ratchet_store_requests_total{kind=\"read_version\"}");
        subject.rate("commits of an idle worker", 0, (subject.commits() - commitsBefore) / seconds / workers, cpu);
        subject.rate("reads of an idle worker", 0, (versions - versionsBefore) / seconds / workers, cpu);
    }
}
