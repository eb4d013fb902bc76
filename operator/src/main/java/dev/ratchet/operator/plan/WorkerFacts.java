/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import io.fabric8.kubernetes.api.model.Pod;

/** Owns what is known of the process of a seat, from its pod, its resource and the coordinator's word. */
final class WorkerFacts {
    private WorkerFacts() {}

    /** Whether a process ever took the seat in this life of its ComputeWorker, or may have. */
    static boolean wasTaken(Snapshot snapshot, String seat) {
        ComputeWorker worker = snapshot.workers().get(seat);
        Pod pod = snapshot.pods().get(seat);
        boolean started = pod != null && !PodFacts.neverStarted(pod);
        return started || (worker != null && worker.getStatus() != null && worker.getStatus().incarnation != 0);
    }
}
