/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of classes as they are uploaded. */
class ArtifactTest {

    /** Jars of ours among temporary files. */
    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().matches("ratchet-.*\\.jar"))
                    .toList();
        }
    }

    @Test
    void aDirectoryOfClassesIsPackedAndNoFileIsLeft(@TempDir Path classes) throws IOException {
        String name = ArtifactTest.class.getName().replace('.', '/') + ".class";
        Path file = classes.resolve(name);
        Files.createDirectories(file.getParent());
        try (InputStream own = ArtifactTest.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(own, file);
        }
        List<Path> before = jars();

        Artifact artifact = Artifact.of(classes);

        assertThat(artifact.holds(ArtifactTest.class)).isTrue();
        assertThat(artifact.holds(Artifact.class)).isFalse();
        assertThat(Artifact.of(classes).digest()).isEqualTo(artifact.digest());
        assertThat(jars()).isEqualTo(before);
    }
}
