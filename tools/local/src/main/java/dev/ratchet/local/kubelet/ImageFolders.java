/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an image name stands for without a registry: a folder that takes the place of a prefix of the container's
 * commands. A name that no entry knows can not be pulled. Immutable.
 *
 * @param releases folder with distributions of other releases, each in a folder, or a link to one, named by its tag; it
 *     is looked into whenever a container starts
 */
public record ImageFolders(List<Image> known, Optional<Path> releases) {

    private static final String INSTALLED_AT = "/opt/ratchet";
    private static final Pattern TAGGED = Pattern.compile(".*:([0-9A-Za-z][-.0-9A-Za-z_]*)");

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

    public ImageFolders {
        known = List.copyOf(known);
    }

    /** Images of any tag. */
    public ImageFolders(List<Image> known) {
        this(known, Optional.empty());
    }

    /**
     * The images of Ratchet, of any registry, as distributions on this machine: that of the tag in {@code releases}, if
     * it is there, else {@code distribution}.
     */
    public static ImageFolders of(Path distribution, Path releases) {
        List<Image> images = List.of(
                new Image(
                        Pattern.compile("(.*/)?ratchet/worker([:@].*)?"),
                        INSTALLED_AT,
                        distribution,
                        List.of(INSTALLED_AT + "/bin/worker")),
                new Image(
                        Pattern.compile("(.*/)?ratchet/operator([:@].*)?"),
                        INSTALLED_AT,
                        distribution,
                        List.of(INSTALLED_AT + "/bin/operator")));
        return new ImageFolders(images, Optional.of(releases));
    }

    Optional<Image> find(String reference) {
        return known.stream()
                .filter(image -> image.name().matcher(reference).matches())
                .findFirst()
                .map(image -> release(reference)
                        .map(folder -> new Image(image.name(), image.prefix(), folder, image.entrypoint()))
                        .orElse(image));
    }

    private Optional<Path> release(String reference) {
        Matcher tagged = TAGGED.matcher(reference);
        return tagged.matches()
                ? releases.map(folder -> folder.resolve(tagged.group(1))).filter(Files::isDirectory)
                : Optional.empty();
    }
}
