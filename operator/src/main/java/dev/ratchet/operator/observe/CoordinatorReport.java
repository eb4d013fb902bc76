/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Owns what a coordinator said at one moment. (term, seq) orders reports; what is absent here was not said, which is
 * not the same as "no".
 *
 * @param storeFormat recorded level of formats; 0 if it was not said
 * @param formatCommon the highest level that all workers that may live read and write; 0 if it was not said
 */
public record CoordinatorReport(
        long term,
        long seq,
        String coordinatorSeat,
        InForce layout,
        Map<String, WorkerReport> workers,
        String storeId,
        int storeFormat,
        int formatCommon,
        Optional<CircuitReport> circuit) {
    /** The layout in force; epoch 0 without seats before the first. */
    public record InForce(long epoch, String digest, Set<String> seats) {
        public InForce {
            seats = Set.copyOf(seats);
        }
    }

    public CoordinatorReport {
        workers = Map.copyOf(workers);
    }

    /** What a report of the wire says. */
    public static CoordinatorReport of(ClusterReport clusterReport) {
        Map<String, WorkerReport> workers = new TreeMap<>();
        for (ReportedWorker worker : clusterReport.getWorkersList()) {
            workers.put(worker.getSeat(), WorkerReport.of(worker));
        }
        return new CoordinatorReport(
                clusterReport.getTerm(),
                clusterReport.getSeq(),
                clusterReport.getCoordinatorSeat(),
                new InForce(
                        clusterReport.getLayout().getEpoch(),
                        clusterReport.getLayout().getDigest(),
                        new TreeSet<>(clusterReport.getLayout().getSeatsList())),
                workers,
                clusterReport.getStoreId(),
                clusterReport.getStoreFormat(),
                clusterReport.getFormatCommon(),
                clusterReport.hasCircuit() ? Optional.of(clusterReport.getCircuit()) : Optional.empty());
    }

    public Optional<WorkerReport> worker(String seat) {
        return Optional.ofNullable(workers.get(seat));
    }

    /** Whether this was said before {@code other}. */
    public boolean isOlderThan(CoordinatorReport other) {
        return term < other.term || (term == other.term && seq < other.seq);
    }
}
