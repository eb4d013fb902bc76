/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.worker.ComputeWorkerSpec;

/**
 * Owns the ComputeWorker of a seat. Never sets {@code drain}: that field is people's, and its absence here keeps it
 * theirs.
 */
public final class WorkerResources {
    private WorkerResources() {}

    /** The resource; {@code retire} says that the seat leaves. */
    public static ComputeWorker of(Target target, int ordinal, String revision, boolean retire) {
        String seat = Names.seat(target.name(), Names.POOL, ordinal);
        ComputeWorkerSpec spec = new ComputeWorkerSpec();
        spec.clusterName = target.name();
        spec.pool = Names.POOL;
        spec.ordinal = ordinal;
        spec.revision = revision;
        spec.retire = retire;
        ComputeWorker worker = new ComputeWorker();
        worker.setMetadata(target.metadata(seat, Labels.seat(target.name(), Names.POOL, seat)));
        worker.setSpec(spec);
        worker.setStatus(null);
        return worker;
    }
}
