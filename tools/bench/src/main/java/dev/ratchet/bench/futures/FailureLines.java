/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.bench.Latencies;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/** Lines about what a loss costs. */
final class FailureLines {

    private FailureLines() {}

    /** How long until the task of a killed worker runs again elsewhere. */
    static void kill(Subject subject) throws Exception {
        Latencies times = new Latencies();
        for (int round = 0; round < (subject.extent().quick() ? 5 : 20); round++) {
            times.add(runAgain(subject));
        }
        subject.times("kill -9 to running again", 1, times);
    }

    private static long runAgain(Subject subject) throws Exception {
        Path trace = Files.createTempFile("ratchet-bench-kill", "");
        DurableFuture<Long> future =
                subject.ratchet().submit(SubmitOptions.ofJob("kill"), BenchTasks.leavingTrace(trace.toString()));
        while (Files.size(trace) == 0) {
            Thread.sleep(1);
        }
        int worker = subject.cluster().numberOf(Files.readString(trace));
        long killed = System.currentTimeMillis();
        subject.cluster().worker(worker).kill();
        long ran = future.get();
        subject.cluster().startWorker(worker);
        subject.cluster().awaitReady();
        Files.delete(trace);
        return (ran - killed) * 1_000_000;
    }
}
