/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.FinalizePolicy;
import dev.ratchet.crds.cluster.StoreSummary;
import dev.ratchet.crds.cluster.UpgradePolicy;
import dev.ratchet.operator.observe.Commands.Raise;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import dev.ratchet.protocol.release.VersionRange;
import java.util.Map;
import java.util.Optional;

/**
 * Owns when the recorded formats are raised, which ends an upgrade and the way back. Invariant: not before the last
 * gate has been open for {@code stableMillis}, which is when no progress is shown any more, and not above what every
 * worker that may live, and this operator, read. The coordinator proves that once more when it raises.
 */
public final class FormatFinalizer {
    private final Snapshot snapshot;
    private final UpgradePolicy policy;
    private final LayoutDecision layout;
    private final boolean storeIsReady;

    /** @param storeIsReady whether an embedded store runs the release that it should */
    FormatFinalizer(Snapshot snapshot, UpgradePolicy policy, LayoutDecision layout, boolean storeIsReady) {
        this.snapshot = snapshot;
        this.policy = policy;
        this.layout = layout;
        this.storeIsReady = storeIsReady;
    }

    /** The recorded level as it is said now, or was last; 0 if it is not known. */
    public static int level(Snapshot snapshot) {
        return snapshot.clusterReport().map(CoordinatorReport::storeFormat).orElseGet(() -> recorded(snapshot));
    }

    private static int recorded(Snapshot snapshot) {
        StoreSummary store = snapshot.cluster().getStatus() == null
                ? null
                : snapshot.cluster().getStatus().store;
        return store == null || store.formatLevel == null ? 0 : store.formatLevel;
    }

    /** The level to go to that is to be raised now. */
    Optional<Raise> raise() {
        return due().filter(raise -> policy.finalize == FinalizePolicy.AUTOMATIC || isApproved(raise.level()));
    }

    /** The decision, which says that a person is waited for, if so. */
    LayoutDecision explained() {
        return due().filter(raise -> raise().isEmpty())
                .map(raise -> layout.withBlocked(new Obstacle(
                        Reason.FINALIZE_AWAITED,
                        "all workers read format level " + raise.level() + ", and the store is of level "
                                + level(snapshot)
                                + "; kubectl ratchet upgrade finalize, which sets the annotation "
                                + Names.FINALIZE_UPGRADE_ANNOTATION + ": \"" + raise.level()
                                + "\", raises it and ends the way back")))
                .orElse(layout);
    }

    private Optional<Raise> due() {
        boolean rests = !layout.upgrade().isUnderWay()
                && layout.upgrade().blocked().isEmpty()
                && layout.create().isEmpty()
                && layout.proposal().isEmpty()
                && layout.changing().isEmpty()
                && layout.inForce().containsAll(snapshot.workers().keySet());
        if (!rests || !storeIsReady || policy.suspended || layout.epoch() == 0) {
            return Optional.empty();
        }
        return snapshot.clusterReport()
                .map(said -> new Raise(said.storeId(), common(said)))
                .filter(raise -> raise.level() > level(snapshot));
    }

    private static int common(CoordinatorReport said) {
        return Math.min(said.formatCommon(), VersionRange.FORMATS.newest());
    }

    private boolean isApproved(int level) {
        Map<String, String> annotations = snapshot.cluster().getMetadata().getAnnotations();
        return annotations != null
                && Integer.toString(level).equals(annotations.get(Names.FINALIZE_UPGRADE_ANNOTATION));
    }
}
