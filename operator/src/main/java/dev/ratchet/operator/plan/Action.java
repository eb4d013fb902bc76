/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.OptionalLong;

/** One write to the API server, as data. Doing it twice is the same as doing it once. */
public sealed interface Action {
    /** The object that it is about. */
    HasMetadata object();

    /** Make the object be as {@code object} says, leaving alone what {@code object} does not mention. */
    record Apply(HasMetadata object) implements Action {}

    /** Create the object unless there is one of its name. */
    record Create(HasMetadata object) implements Action {}

    /**
     * Give containers of a living pod other images, and the pod annotations, unless the pod has changed since.
     *
     * @param object the pod as it is
     * @param images by the name of the container; empty where they stay
     */
    record Patch(Pod object, Map<String, String> images, Map<String, String> annotations) implements Action {
        public Patch {
            images = Map.copyOf(images);
            annotations = Map.copyOf(annotations);
        }
    }

    /** Delete exactly this life of the object, by its UID; {@code graceSeconds} shortens the time a pod is given. */
    record Delete(HasMetadata object, OptionalLong graceSeconds) implements Action {}

    /** Replace the status of a ComputeWorker or ComputeLayout, unless it has changed since. */
    record WriteStatus(HasMetadata object) implements Action {}
}
