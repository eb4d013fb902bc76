/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CustomResourceDefinitions of this release, as they are in {@code crds/yaml} and in the jar. */
public final class Definitions {
    /** Names of the definitions, {@code <plural>.<group>}. */
    public static final List<String> NAMES =
            List.of("computeclusters.ratchet.dev", "computelayouts.ratchet.dev", "computeworkers.ratchet.dev");

    private Definitions() {}

    /** The definitions as objects; new ones at each call. */
    public static List<CustomResourceDefinition> all() {
        return NAMES.stream()
                .map(name -> Serialization.unmarshal(yaml(name), CustomResourceDefinition.class))
                .toList();
    }

    /** The text of one definition. */
    public static String yaml(String name) {
        try (InputStream stream = Definitions.class.getResourceAsStream(name + ".yaml")) {
            if (stream == null) {
                throw new IllegalArgumentException("No definition is named " + name + "; there are " + NAMES);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }
}
