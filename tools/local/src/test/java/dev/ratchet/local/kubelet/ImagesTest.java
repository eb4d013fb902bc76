/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesTest {

    @TempDir
    private Path directory;

    @Test
    void aTagIsTheDistributionOfItsNameAndAnyOtherTheOneThatIsHere() throws IOException {
        Path here = directory.resolve("here");
        Path releases = directory.resolve("releases");
        Files.createDirectories(releases.resolve("0.0.9"));
        ImageFolders images = ImageFolders.of(here, releases);
        assertThat(folder(images, "ratchet/worker:0.0.9")).isEqualTo(releases.resolve("0.0.9"));
        assertThat(folder(images, "registry:5000/ratchet/worker:0.0.9")).isEqualTo(releases.resolve("0.0.9"));
        assertThat(folder(images, "ratchet/worker:0.1.0")).isEqualTo(here);
        assertThat(folder(images, "ratchet/worker")).isEqualTo(here);
        assertThat(folder(images, "ratchet/worker:..")).isEqualTo(here);
        assertThat(images.find("nginx:0.0.9")).isEmpty();
    }

    private static Path folder(ImageFolders images, String reference) {
        return images.find(reference).orElseThrow().folder();
    }
}
