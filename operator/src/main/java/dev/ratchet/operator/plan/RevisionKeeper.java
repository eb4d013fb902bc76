/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.model.WorkerRevisions;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import java.util.HashSet;
import java.util.Set;

/** Owns which revisions of workers are kept: all from which a pod is made, may be made again, or was made lately. */
final class RevisionKeeper {
    private RevisionKeeper() {}

    static void plan(Snapshot snapshot, LayoutDecision layout, WorkerRevisions revisions, PlanBuilder plan) {
        revisions.made().ifPresent(plan::create);
        Set<String> used = new HashSet<>(layout.members().values());
        snapshot.workers().values().forEach(worker -> used.add(worker.getSpec().revision));
        snapshot.pods().values().forEach(pod -> used.add(PodFacts.revision(pod)));
        for (LayoutFacts facts : LayoutFacts.of(snapshot.layouts())) {
            used.addAll(facts.members().values());
            UpgradeProgress upgrade = facts.upgrade();
            if (upgrade != null) {
                used.add(upgrade.from);
                used.add(upgrade.to);
            }
        }
        revisions.superfluous(used).forEach(plan::delete);
    }
}
