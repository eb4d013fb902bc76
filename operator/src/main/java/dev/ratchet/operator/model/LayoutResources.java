/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.layout.ComputeLayoutSpec;
import dev.ratchet.crds.layout.LayoutMember;
import dev.ratchet.crds.layout.LayoutOrigin;
import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.crds.layout.UpgradeProgress;
import java.util.Map;
import java.util.Optional;

/** Owns the ComputeLayout of an epoch. Its name makes the API server refuse a second proposal of one epoch. */
public final class LayoutResources {
    private LayoutResources() {}

    /**
     * The layout that puts {@code members}, in this order, into the place of those of {@code fromEpoch}.
     *
     * @param members revision of each seat
     * @param progress where an upgrade stands with this layout; empty if none is under way
     */
    public static ComputeLayout of(
            Target target,
            long epoch,
            long fromEpoch,
            LayoutReason reason,
            Map<String, String> members,
            Optional<UpgradeProgress> progress) {
        ComputeLayoutSpec spec = new ComputeLayoutSpec();
        spec.clusterName = target.name();
        spec.origin = LayoutOrigin.OPERATOR;
        spec.epoch = epoch;
        spec.fromEpoch = fromEpoch;
        spec.reason = reason;
        spec.upgrade = progress.orElse(null);
        spec.mode = target.spec().layout.policy;
        members.forEach((seat, revision) -> {
            LayoutMember member = new LayoutMember();
            member.seat = seat;
            member.revision = revision;
            spec.workers.add(member);
        });
        ComputeLayout layout = new ComputeLayout();
        layout.setMetadata(target.metadata(Names.layout(target.name(), epoch), target.labels()));
        layout.setSpec(spec);
        layout.setStatus(null);
        return layout;
    }

    /** Digest by which coordinator and mirror are compared. */
    public static String digest(ComputeLayout layout) {
        JsonNode spec = Revision.tree(layout.getSpec());
        if (spec.path("upgrade") instanceof ObjectNode upgrade) {
            upgrade.remove("reason");
        }
        return Revision.sha256(spec);
    }
}
