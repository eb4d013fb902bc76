/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ComputeClusterSpec;
import dev.ratchet.crds.cluster.SlotSummary;
import dev.ratchet.crds.cluster.StoreType;
import dev.ratchet.operator.model.Settings;
import dev.ratchet.operator.model.SpecRevisions;
import dev.ratchet.operator.model.StorePods;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.plan.SpecRules.Problem;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Owns the judgement of the newest spec: accepted, or refused with everything that is wrong while the last good one
 * stays in effect.
 */
final class AcceptanceJudge {
    /** More would not be read, and a condition's message has a limit. */
    private static final int PROBLEMS_TOLD = 5;

    private AcceptanceJudge() {}

    static Acceptance judge(Snapshot snapshot, Settings settings) {
        ComputeClusterSpec newest = snapshot.cluster().getSpec();
        long generation = snapshot.cluster().getMetadata().getGeneration() == null
                ? 0
                : snapshot.cluster().getMetadata().getGeneration();
        Optional<ControllerRevision> latest = SpecRevisions.latest(snapshot.revisions());
        Optional<ComputeClusterSpec> accepted = latest.flatMap(SpecRevisions::spec);
        if (accepted.isPresent() && accepted.get().equals(newest)) {
            return accepted(
                    newest, latest.get().getMetadata().getName(), latest.get().getRevision());
        }
        List<Problem> problems = new ArrayList<>(SpecRules.of(snapshot.name(), newest, settings));
        accepted.ifPresent(before ->
                problems.addAll(SpecRules.ofChange(before, newest, isRunning(snapshot), isVolatile(snapshot, before))));
        problems.addAll(SlotRules.ofChange(SpecRevisions.accepted(snapshot.revisions()), newest, slots(snapshot)));
        problems.addAll(UpgradeRules.ofFormats(newest.version, FormatFinalizer.level(snapshot)));
        if (problems.isEmpty()) {
            return accepted(newest, SpecRevisions.name(snapshot.name(), newest), generation);
        }
        String message =
                problems.stream().map(Problem::message).limit(PROBLEMS_TOLD).collect(Collectors.joining("; "));
        return new Acceptance(
                accepted,
                latest.map(revision -> revision.getMetadata().getName()).orElse(""),
                latest.map(ControllerRevision::getRevision).orElse(0L),
                problems.get(0).reason(),
                message);
    }

    private static Acceptance accepted(ComputeClusterSpec spec, String revision, long generation) {
        return new Acceptance(Optional.of(spec), revision, generation, Reason.ACCEPTED, "");
    }

    private static List<SlotSummary> slots(Snapshot snapshot) {
        return snapshot.cluster().getStatus() == null
                ? List.of()
                : snapshot.cluster().getStatus().slots;
    }

    /** A pod that never started is replaced by another as if it had not been there. */
    private static boolean isRunning(Snapshot snapshot) {
        return snapshot.workers().keySet().stream().anyMatch(seat -> hasStarted(snapshot, seat));
    }

    private static boolean isVolatile(Snapshot snapshot, ComputeClusterSpec accepted) {
        return accepted.store.type == StoreType.EMBEDDED
                && StorePods.settings(accepted).storage == null
                && hasStarted(snapshot, Names.storePod(snapshot.name()));
    }

    private static boolean hasStarted(Snapshot snapshot, String name) {
        Pod pod = snapshot.pods().get(name);
        return pod != null && !PodFacts.neverStarted(pod);
    }
}
