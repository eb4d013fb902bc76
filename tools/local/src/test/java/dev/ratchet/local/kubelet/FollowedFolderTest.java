/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowedFolderTest {

    @TempDir
    private Path root;

    @Test
    void filesAppearChangeAndGoTogether() throws IOException {
        Path folder = root.resolve("volume");
        FollowedFolder followed = new FollowedFolder(folder, false);
        followed.write(Map.of("a", bytes("1"), "sub/b", bytes("2")));
        assertThat(folder.resolve("a")).hasContent("1");
        assertThat(folder.resolve("sub/b")).hasContent("2");

        Path before = folder.resolve("..data").toRealPath();
        followed.write(Map.of("a", bytes("3"), "c", bytes("4")));
        assertThat(folder.resolve("a")).hasContent("3");
        assertThat(folder.resolve("c")).hasContent("4");
        assertThat(folder.resolve("sub")).doesNotExist();
        assertThat(before).doesNotExist();
    }

    @Test
    void whatHasNotChangedIsNotWrittenAgain() throws IOException {
        FollowedFolder followed = new FollowedFolder(root, false);
        followed.write(Map.of("a", bytes("1")));
        Path before = root.resolve("..data").toRealPath();
        followed.write(Map.of("a", bytes("1")));
        assertThat(root.resolve("..data").toRealPath()).isEqualTo(before);
    }

    @Test
    void whatWasLeftThereBeforeIsReplaced() throws IOException {
        new FollowedFolder(root, true).write(Map.of("a", bytes("1"), "b", bytes("2")));
        FollowedFolder next = new FollowedFolder(root, true);
        next.write(Map.of("a", bytes("3")));
        next.write(Map.of("a", bytes("4")));
        assertThat(root.resolve("a")).hasContent("4");
        assertThat(root.resolve("b")).doesNotExist();
    }

    @Test
    void onlyTheOwnerReadsASecret() throws IOException {
        new FollowedFolder(root, true).write(Map.of("key", bytes("x")));
        assertThat(Files.getPosixFilePermissions(root.resolve("key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(root)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(root.resolve("..data").toRealPath()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void noFileLiesOutsideOfTheVolume() {
        assertThatThrownBy(() -> new FollowedFolder(root.resolve("volume"), false).write(Map.of("../../x", bytes("1"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../../x");
        assertThat(root.resolve("x")).doesNotExist();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
