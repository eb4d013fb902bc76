/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Definitions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneratedFilesTest {
    /** What {@code kubectl apply} can keep in its annotation, for all definitions together. */
    private static final int BYTES_MAX = 262_144;

    @Test
    void theFilesInTheRepositoryAreThoseOfTheModel() throws IOException {
        Map<Path, String> files = GeneratedFiles.all();
        if (GeneratedFiles.writing()) {
            GeneratedFiles.write(files);
        }
        for (Map.Entry<Path, String> file : files.entrySet()) {
            assertThat(file.getKey())
                    .as("write it by: ./mvnw -pl crds test -Dratchet.crds.write=true")
                    .exists();
            assertThat(Files.readString(file.getKey()))
                    .as(
                            "%s differs from the model; write it by: ./mvnw -pl crds test -Dratchet.crds.write=true",
                            file.getKey())
                    .isEqualTo(file.getValue());
        }
    }

    @Test
    void generatingTwiceGivesTheSameBytes() {
        assertThat(GeneratedFiles.all()).isEqualTo(GeneratedFiles.all());
    }

    @Test
    void allDefinitionsTogetherFitIntoOneAppliedAnnotation() {
        int bytes = 0;
        for (Class<? extends io.fabric8.kubernetes.client.CustomResource<?, ?>> resource : GeneratedFiles.RESOURCES) {
            bytes += DefinitionGenerator.yaml(resource).getBytes(StandardCharsets.UTF_8).length;
        }
        assertThat(bytes).isLessThan(BYTES_MAX);
    }

    @Test
    void theJarHoldsTheDefinitions() {
        assertThat(Definitions.all())
                .extracting(definition -> definition.getMetadata().getName())
                .containsExactlyElementsOf(Definitions.NAMES);
    }
}
