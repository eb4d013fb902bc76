/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.model.Containment;
import dev.ratchet.operator.model.Revision;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Owns the plan while it is being made. Invariant: an object that already is what it must be never gets an action, so a
 * plan for a cluster where nothing changed is empty.
 */
final class PlanBuilder {
    private static final long IDLE_GRACE_SECONDS = 1;

    private final List<Action> actions = new ArrayList<>();
    private @Nullable Instant wakeAt;
    private @Nullable Obstacle blocked;

    /**
     * Makes {@code wanted} so, if {@code live} is not.
     *
     * @return whether it is so already
     */
    boolean apply(@Nullable HasMetadata live, HasMetadata wanted) {
        annotate(wanted);
        boolean same = live != null && Containment.holds(Revision.tree(live), Revision.tree(wanted));
        if (!same) {
            actions.add(new Action.Apply(wanted));
        }
        return same;
    }

    void create(HasMetadata wanted) {
        actions.add(new Action.Create(wanted));
    }

    /** Deletes {@code live}, unless there is none or it is being deleted. */
    void delete(@Nullable HasMetadata live) {
        delete(live, OptionalLong.empty());
    }

    /** As {@link #delete(HasMetadata)}; a pod that never started gets no more than a second, whatever is asked for. */
    void delete(@Nullable HasMetadata live, OptionalLong graceSeconds) {
        if (live != null && live.getMetadata().getDeletionTimestamp() == null) {
            actions.add(new Action.Delete(live, isIdle(live) ? OptionalLong.of(IDLE_GRACE_SECONDS) : graceSeconds));
        }
    }

    /** Old kubelets wait the whole time for containers that never ran. */
    private static boolean isIdle(HasMetadata live) {
        return live instanceof Pod pod && PodFacts.neverStarted(pod);
    }

    /** Gives the container of a living pod another image. */
    void patch(Pod pod, String container, String image, Map<String, String> annotations) {
        actions.add(new Action.Patch(pod, Map.of(container, image), annotations));
    }

    /** Gives a living pod annotations, unless it is changed or deleted anyway: one write to a pod is enough. */
    void annotate(Pod pod, Map<String, String> annotations) {
        String uid = pod.getMetadata().getUid();
        if (actions.stream()
                .noneMatch(action -> uid.equals(action.object().getMetadata().getUid()))) {
            actions.add(new Action.Patch(pod, Map.of(), annotations));
        }
    }

    /** Deletes {@code pod} with so much time to end, also if it was told to end in more. */
    void hasten(Pod pod, long graceSeconds) {
        long seconds = isIdle(pod) ? Math.min(IDLE_GRACE_SECONDS, graceSeconds) : graceSeconds;
        Long given = pod.getMetadata().getDeletionGracePeriodSeconds();
        if (pod.getMetadata().getDeletionTimestamp() == null || (given != null && given > seconds)) {
            actions.add(new Action.Delete(pod, OptionalLong.of(seconds)));
        }
    }

    /** Deletes {@code pod} without waiting for its node. */
    void force(Pod pod) {
        actions.add(new Action.Delete(pod, OptionalLong.of(0)));
    }

    void writeStatus(HasMetadata object) {
        actions.add(new Action.WriteStatus(object));
    }

    void wakeAt(Instant time) {
        if (wakeAt == null || time.isBefore(wakeAt)) {
            wakeAt = time;
        }
    }

    /** Only the first is told: what comes after may follow from it. */
    void blocked(Reason reason, String by) {
        blocked = blocked == null ? new Obstacle(reason, by) : blocked;
    }

    ReconcilePlan build(Acceptance acceptance, Optional<Target> target, Commands commands, LayoutDecision layout) {
        return new ReconcilePlan(
                acceptance,
                target,
                actions,
                commands,
                layout,
                Optional.ofNullable(wakeAt),
                Optional.ofNullable(blocked));
    }

    private static void annotate(HasMetadata wanted) {
        ObjectMeta metadata = wanted.getMetadata();
        if (metadata.getAnnotations() != null && metadata.getAnnotations().containsKey(Names.REVISION_ANNOTATION)) {
            return;
        }
        wanted.setMetadata(new ObjectMetaBuilder(metadata)
                .addToAnnotations(Map.of(Names.REVISION_ANNOTATION, Revision.shortHash(wanted)))
                .build());
    }
}
