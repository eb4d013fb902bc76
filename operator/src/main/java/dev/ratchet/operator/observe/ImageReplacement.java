/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Owns what is recorded at a pod in the write that gives its container another image. The annotation of a revision says
 * what was asked for; that the new image runs is proved by an incarnation above this one that reports this release.
 *
 * @param incarnation newest one of the seat before the change
 * @param restarts of the container before the change
 * @param version release of the new image; "" if that is not known
 */
public record ImageReplacement(long incarnation, int restarts, String version) {
    private static final Pattern TEXT = Pattern.compile("incarnation=([0-9]{1,18}) restarts=([0-9]{1,9}) version=(.*)");

    /** What was recorded last; empty for a pod that has the image that it was created with. */
    public static Optional<ImageReplacement> of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        Matcher text = TEXT.matcher(annotations == null ? "" : annotations.getOrDefault(Names.REPLACED_ANNOTATION, ""));
        return text.matches()
                ? Optional.of(new ImageReplacement(
                        Long.parseLong(text.group(1)), Integer.parseInt(text.group(2)), text.group(3)))
                : Optional.empty();
    }

    /** As it stands in the annotation. */
    public String text() {
        return "incarnation=" + incarnation + " restarts=" + restarts + " version=" + version;
    }

    /** Whether {@code said} is about a process of the new image. */
    public boolean isProvedBy(WorkerReport said) {
        return said.incarnation() > incarnation && (version.isEmpty() || version.equals(said.version()));
    }
}
