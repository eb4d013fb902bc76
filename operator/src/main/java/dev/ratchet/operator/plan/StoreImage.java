/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Names;
import dev.ratchet.operator.model.PullPods;
import dev.ratchet.operator.model.StorePods;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.observe.ImageReplacement;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.status.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;

/**
 * Owns the image of an embedded store that is in use. For another release it takes the new image before any worker
 * does, in its living pod and once the image has run on its node, so that workers only wait for one start of a process;
 * what can not run is put back at once. Another image of the same release leaves the store alone.
 */
final class StoreImage {
    private final Target target;
    private final Snapshot snapshot;
    private final Optional<Pod> pod;
    /** It runs the wanted image on the node of the store. */
    private final Optional<Pod> pull;

    private final String wanted;

    StoreImage(Snapshot snapshot, Target target) {
        this.snapshot = snapshot;
        this.target = target;
        this.pull = Optional.ofNullable(snapshot.pods().get(Names.pullPod(target.name())));
        this.wanted = StorePods.image(target);
        this.pod = Optional.ofNullable(snapshot.pods().get(Names.storePod(target.name())))
                .filter(found -> target.isEmbedded())
                .filter(found -> !PodFacts.neverStarted(found) && !PodFacts.isTerminating(found));
    }

    /** Plans the next write to the pod, if there is one. */
    void plan(PlanBuilder plan) {
        if (useful().isEmpty()) {
            pull.filter(former -> !PodFacts.isTerminating(former)).ifPresent(plan::delete);
        }
        pod.ifPresent(found -> plan(found, plan));
    }

    /** Why no worker may take the new release yet. */
    Optional<Obstacle> awaited() {
        return pod.flatMap(found -> {
            if (isRefused(found)) {
                return Optional.of(new Obstacle(
                        Reason.PODS_CAN_NOT_START,
                        "the store did not start with image " + wanted + " and has its former one again; no worker was"
                                + " replaced. Put spec.version and spec.image right; the same image is tried once more"
                                + " when both have been put back in between"));
            }
            Optional<String> trouble = useful().flatMap(StoreImage::trouble);
            if (trouble.isPresent()) {
                return Optional.of(new Obstacle(
                        Reason.PODS_CAN_NOT_START,
                        "image " + wanted + " does not run on the node of the store (pod "
                                + Names.pullPod(target.name()) + ": " + trouble.get() + "), which goes on with its"
                                + " former one; no worker was replaced. Put spec.version and spec.image right, or"
                                + " delete that pod to try again"));
            }
            return isDue(found) || isUnproved(found)
                    ? Optional.of(
                            new Obstacle(Reason.WAITING_FOR_STORE, "the store takes the new release before workers do"))
                    : Optional.empty();
        });
    }

    private void plan(Pod found, PlanBuilder plan) {
        String refused = annotation(found, Names.REFUSED_IMAGE_ANNOTATION);
        if (!refused.isEmpty() && !refused.equals(wanted)) {
            // Whoever asks for that image once more, after another one, may have mended it.
            plan.patch(found, Names.STORE_CONTAINER, image(found), Map.of(Names.REFUSED_IMAGE_ANNOTATION, ""));
        } else if (isDue(found)) {
            if (pull.isEmpty()) {
                plan.create(MountedVersions.annotated(snapshot, PullPods.pod(target, found)));
            } else if (useful().filter(PodFacts::hasSucceeded).isPresent()) {
                give(found, plan);
            }
        } else if (isUnproved(found) && newTrouble(found).isPresent()) {
            plan.patch(
                    found,
                    Names.STORE_CONTAINER,
                    annotation(found, Names.FORMER_IMAGE_ANNOTATION),
                    Map.of(
                            Names.VERSION_ANNOTATION,
                            "",
                            Names.FORMER_IMAGE_ANNOTATION,
                            "",
                            Names.REFUSED_IMAGE_ANNOTATION,
                            image(found)));
        } else if (isUnproved(found) && runsNewImage(found)) {
            plan.patch(found, Names.STORE_CONTAINER, image(found), Map.of(Names.FORMER_IMAGE_ANNOTATION, ""));
        }
    }

    private boolean isDue(Pod found) {
        return !annotation(found, Names.VERSION_ANNOTATION).equals(target.spec().version)
                && !image(found).equals(wanted)
                && !isRefused(found);
    }

    private void give(Pod found, PlanBuilder plan) {
        ImageReplacement before =
                new ImageReplacement(0, PodFacts.restarts(found, Names.STORE_CONTAINER), target.spec().version);
        plan.patch(
                found,
                Names.STORE_CONTAINER,
                wanted,
                Map.of(
                        Names.VERSION_ANNOTATION,
                        target.spec().version,
                        Names.REPLACED_ANNOTATION,
                        before.text(),
                        Names.FORMER_IMAGE_ANNOTATION,
                        image(found),
                        Names.REFUSED_IMAGE_ANNOTATION,
                        ""));
    }

    /** The pod that runs the image which the store is to have, where the store is. */
    private Optional<Pod> useful() {
        return pull.filter(pulling ->
                        pulling.getSpec().getContainers().getFirst().getImage().equals(wanted))
                .filter(pulling ->
                        pod.filter(this::isDue).map(PodFacts::node).stream().anyMatch(PodFacts.node(pulling)::equals));
    }

    private static Optional<String> trouble(Pod pulling) {
        return PodFacts.isFinished(pulling) && !PodFacts.hasSucceeded(pulling)
                ? Optional.of("Failed")
                : PodFacts.trouble(pulling);
    }

    private boolean isRefused(Pod found) {
        return annotation(found, Names.REFUSED_IMAGE_ANNOTATION).equals(wanted);
    }

    /** It was given another image and has not worked with it yet. */
    private static boolean isUnproved(Pod found) {
        return !annotation(found, Names.FORMER_IMAGE_ANNOTATION).isEmpty();
    }

    /** Why the image that it was given does not start; that the former process ended again and again says nothing. */
    private static Optional<String> newTrouble(Pod found) {
        return PodFacts.trouble(found).filter(reason -> !reason.equals("CrashLoopBackOff") || hasRunNewImage(found));
    }

    private static boolean runsNewImage(Pod found) {
        return PodFacts.isReady(found) && hasRunNewImage(found);
    }

    private static boolean hasRunNewImage(Pod found) {
        return ImageReplacement.of(found)
                .filter(before -> PodFacts.restarts(found, Names.STORE_CONTAINER) > before.restarts())
                .isPresent();
    }

    private static String image(Pod found) {
        return found.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(Names.STORE_CONTAINER))
                .map(container -> container.getImage())
                .findFirst()
                .orElse("");
    }

    private static String annotation(Pod found, String name) {
        Map<String, String> annotations = found.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(name, "");
    }
}
