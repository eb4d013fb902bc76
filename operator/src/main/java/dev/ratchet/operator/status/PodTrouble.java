/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import dev.ratchet.operator.observe.PodFacts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * Owns the words for why a pod does not start. Fixed texts: the kubelet changes between several words for one trouble,
 * and a message that follows it would be written every few seconds.
 */
public final class PodTrouble {
    private PodTrouble() {}

    /** What keeps the pod from starting; empty if nothing is known to. */
    public static Optional<String> of(Pod pod) {
        String name = pod.getMetadata().getName();
        if (PodFacts.waitsForStore(pod)) {
            return Optional.of("pod " + name + " waits for the store"
                    + PodFacts.lastWords(pod).map(why -> ": " + why).orElse("; see kubectl logs"));
        }
        return PodFacts.trouble(pod).map(reason -> switch (reason) {
            case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull" ->
                "the image of pod " + name + " can not be pulled; check spec.image and the pull secrets";
            case "Unschedulable" ->
                "pod " + name + " fits on no node; check spec.workers.resources and the capacity of the nodes";
            case "CrashLoopBackOff" ->
                PodFacts.ranOutOfMemory(pod)
                        ? "the container of pod " + name + " took more memory than its limit and was killed; raise "
                                + (PodFacts.isStore(pod) ? "spec.store.embedded" : "spec.workers")
                                + ".resources.limits.memory"
                        : "the process of pod " + name + " ends again and again"
                                + PodFacts.lastWords(pod).map(why -> ": " + why).orElse("; see kubectl logs");
            default -> "the container of pod " + name + " can not be created; see kubectl describe pod";
        });
    }
}
