/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.layout.ComputeLayoutSpec;
import dev.ratchet.crds.layout.MovedBytes;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owns what a committed layout moves: the values of the seats that it leaves out, as these report them. A seat's report
 * is kept after its process, so that what was moved is told also when the seat is gone.
 */
final class Evacuations {

    private Evacuations() {}

    /** What has moved by now; what was known before where the coordinator, or the layout before, does not say. */
    static @Nullable MovedBytes of(ComputeLayoutSpec spec, @Nullable MovedBytes before, Snapshot snapshot) {
        Optional<Set<String>> leaving = leaving(spec, snapshot.layouts());
        if (snapshot.clusterReport().isEmpty() || leaving.isEmpty()) {
            return before;
        }
        List<WorkerReport.Evacuation> said = leaving.get().stream()
                .flatMap(seat -> evacuation(snapshot.clusterReport().get(), seat).stream())
                .toList();
        MovedBytes bytes = new MovedBytes();
        bytes.moved = said.stream().mapToLong(WorkerReport.Evacuation::moved).sum();
        bytes.lowerBound =
                said.stream().mapToLong(WorkerReport.Evacuation::bound).sum();
        // What somebody else holds, too, or what is deleted meanwhile, need not move after all.
        bytes.wanted = Math.max(bytes.lowerBound, before == null ? 0 : before.wanted);
        return bytes;
    }

    private static Optional<Set<String>> leaving(ComputeLayoutSpec spec, Collection<ComputeLayout> layouts) {
        Set<String> staying = spec.workers.stream().map(member -> member.seat).collect(Collectors.toSet());
        return LayoutFacts.of(layouts).stream()
                .filter(facts ->
                        facts.committed() && Long.valueOf(facts.epoch()).equals(spec.fromEpoch))
                .findFirst()
                .map(facts -> facts.seats().stream()
                        .filter(seat -> !staying.contains(seat))
                        .collect(Collectors.toSet()));
    }

    private static Optional<WorkerReport.Evacuation> evacuation(CoordinatorReport clusterReport, String seat) {
        return clusterReport.worker(seat).map(WorkerReport::evacuation);
    }
}
