/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.layout.LayoutOrigin;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.model.LayoutResources;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Owns what a ComputeLayout tells a planner. What its status says is what was recorded, which may lag behind the
 * coordinator.
 *
 * @param members revision of each seat
 * @param upgrade progress that it carries
 */
record LayoutFacts(
        ComputeLayout resource,
        long epoch,
        long fromEpoch,
        Map<String, String> members,
        @Nullable UpgradeProgress upgrade,
        boolean committed,
        boolean complete,
        boolean aborted) {
    /** The operator's own layouts, by epoch. */
    static List<LayoutFacts> of(Collection<ComputeLayout> layouts) {
        return layouts.stream()
                .filter(layout -> layout.getSpec().origin == LayoutOrigin.OPERATOR && layout.getSpec().epoch != null)
                .map(LayoutFacts::of)
                .sorted(Comparator.comparing(LayoutFacts::epoch))
                .toList();
    }

    /** The first revision that the newest layout names; "" for none. */
    static String newestRevision(Collection<ComputeLayout> layouts) {
        return of(layouts).stream()
                .reduce((earlier, later) -> later)
                .flatMap(newest -> newest.members().values().stream().findFirst())
                .orElse("");
    }

    private static LayoutFacts of(ComputeLayout layout) {
        Long epoch = layout.getSpec().epoch;
        Long fromEpoch = layout.getSpec().fromEpoch;
        return new LayoutFacts(
                layout,
                epoch == null ? 0 : epoch,
                fromEpoch == null ? 0 : fromEpoch,
                layout.getSpec().workers.stream()
                        .collect(Collectors.toUnmodifiableMap(member -> member.seat, member -> member.revision)),
                layout.getSpec().upgrade,
                isTrue(layout, ConditionType.COMMITTED),
                isTrue(layout, ConditionType.COMPLETE),
                isTrue(layout, ConditionType.ABORTED));
    }

    private static boolean isTrue(ComputeLayout layout, String type) {
        return layout.getStatus() != null
                && layout.getStatus().conditions.stream().anyMatch(condition -> isTrue(condition, type));
    }

    private static boolean isTrue(Condition condition, String type) {
        return type.equals(condition.getType()) && "True".equals(condition.getStatus());
    }

    /** Digest by which it is told from another of its epoch; made when it is asked for, because it costs. */
    String digest() {
        return LayoutResources.digest(resource);
    }

    Set<String> seats() {
        return members.keySet();
    }

    boolean isFinished() {
        return complete || aborted;
    }
}
