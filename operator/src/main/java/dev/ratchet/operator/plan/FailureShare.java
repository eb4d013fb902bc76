/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.cluster.UpgradeGates;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Owns the comparison of what failed on new workers with what failed on the others in the same minute. Failures of the
 * system all count; those of the programs that were run only as far as they are more frequent than on the others, since
 * programs that fail everywhere say nothing about a release. Too few attempts say nothing: then the canaries stand.
 */
final class FailureShare {
    /** Fewer attempts than these are chance. */
    private static final long ENDED_MIN = 20;

    private FailureShare() {}

    /** Why the workers of {@code seats} fail too often; empty if they do not, or too little ended on them. */
    static Optional<String> tooMany(Snapshot snapshot, Collection<String> seats, UpgradeGates gates) {
        WorkerReport.Trial updated = sum(snapshot, seats::contains);
        if (updated.ended() < ENDED_MIN) {
            return Optional.empty();
        }
        WorkerReport.Trial others = sum(snapshot, seat -> !seats.contains(seat));
        double usual = others.ended() < ENDED_MIN ? 1 : (double) others.failed() / others.ended();
        double above = Math.max(0, updated.failed() - usual * updated.ended());
        double percent = 100.0 * (updated.broken() + above) / updated.ended();
        return percent <= gates.maxFailurePercent
                ? Optional.empty()
                : Optional.of("of " + updated.ended() + " attempts that ended on the new workers in a minute "
                        + updated.broken() + " failed through the system and " + updated.failed()
                        + " through their programs, against " + others.failed() + " of " + others.ended()
                        + " on the others, which is more than spec.upgrade.gates.maxFailurePercent allows");
    }

    private static WorkerReport.Trial sum(Snapshot snapshot, Predicate<String> which) {
        List<WorkerReport.Trial> trials = snapshot.clusterReport().stream()
                .flatMap(said -> said.workers().values().stream())
                .filter(said -> which.test(said.seat()))
                .map(WorkerReport::trial)
                .toList();
        return new WorkerReport.Trial(
                true,
                trials.stream().mapToLong(WorkerReport.Trial::ended).sum(),
                trials.stream().mapToLong(WorkerReport.Trial::failed).sum(),
                trials.stream().mapToLong(WorkerReport.Trial::broken).sum());
    }
}
