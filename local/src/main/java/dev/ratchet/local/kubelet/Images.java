/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an image name stands for without a registry: a folder that takes the place of a prefix of the container's
 * commands. A name that no entry knows can not be pulled. Immutable.
 */
public record Images(List<Image> known) {

    private static final String INSTALLED_AT = "/opt/ratchet";

    /**
     * One family of images.
     *
     * @param name must match the whole reference
     * @param prefix absolute path inside the image that {@code folder} replaces in commands
     * @param folder absolute path on this machine
     * @param entrypoint command of a container that gives none, may be empty
     */
    public record Image(Pattern name, String prefix, Path folder, List<String> entrypoint) {
        public Image {
            entrypoint = List.copyOf(entrypoint);
        }
    }

    public Images {
        known = List.copyOf(known);
    }

    /** The images of Ratchet, of any registry and tag, as a distribution on this machine. */
    public static Images of(Path distribution) {
        return new Images(List.of(
                new Image(
                        Pattern.compile("(.*/)?ratchet/worker([:@].*)?"),
                        INSTALLED_AT,
                        distribution,
                        List.of(INSTALLED_AT + "/bin/worker")),
                new Image(
                        Pattern.compile("(.*/)?ratchet/operator([:@].*)?"),
                        INSTALLED_AT,
                        distribution,
                        List.of(INSTALLED_AT + "/bin/operator"))));
    }

    Optional<Image> find(String reference) {
        return known.stream()
                .filter(image -> image.name().matcher(reference).matches())
                .findFirst();
    }
}
