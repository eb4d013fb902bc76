/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.reconcile.ClusterStatuses;
import dev.ratchet.operator.world.World;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Prints how much processor time a reconcile of a cluster takes in which nothing is left to do, for several numbers of
 * workers: from a snapshot to plan and status, without the API server.
 */
public final class ReconcileBench {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int[] WORKERS = {125, 250, 500, 1000};
    private static final int WARM_UP = 10;
    private static final int RUNS = 21;

    private ReconcileBench() {}

    public static void main(String[] arguments) {
        for (int workers : WORKERS) {
            World world = new World();
            world.scale(workers);
            for (int i = 0; i < 3; i++) {
                world.reconcile();
                world.kubelet();
            }
            world.reconcile();
            Snapshot snapshot = world.snapshot();
            long[] micros = new long[RUNS];
            for (int run = -WARM_UP; run < RUNS; run++) {
                long start = THREADS.getCurrentThreadCpuTime();
                ClusterStatuses.of(snapshot, world.plan(snapshot));
                if (run >= 0) {
                    micros[run] = (THREADS.getCurrentThreadCpuTime() - start) / 1000;
                }
            }
            Arrays.sort(micros);
            System.out.printf(
                    "%d workers: %.1f ms, %d actions%n",
                    workers, micros[RUNS / 2] / 1000.0, world.plan().actions().size());
        }
    }
}
