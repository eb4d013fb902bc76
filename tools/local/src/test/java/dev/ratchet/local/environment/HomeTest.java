/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The folder of an environment, wherever a user has put it. */
class HomeTest {

    @ParameterizedTest
    @ValueSource(strings = {"/home/ada/ratchet", "/home/ada/my files", "/tmp/it's here", "/tmp/$HOME;`ls`\""})
    void aShellReadsThePathThatWasMeant(String directory) throws Exception {
        String export = new Home(Path.of(directory)).kubeconfigExport();
        Process shell = new ProcessBuilder("sh", "-c", export + "; printf %s \"$KUBECONFIG\"").start();
        String read = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(read).isEqualTo(directory + "/kubeconfig");
    }

    @Test
    void aPlainPathIsNotQuoted() {
        assertThat(new Home(Path.of("/home/ada/ratchet")).kubeconfigExport())
                .isEqualTo("export KUBECONFIG=/home/ada/ratchet/kubeconfig");
    }

    @Test
    void anEnvironmentThatEndsLeavesLogsAndNoKeys(@TempDir Path folder) throws Exception {
        Home home = new Home(folder.resolve("home"));
        List<Path> keys = List.of(
                home.kubeconfig(),
                home.connection("default", "words"),
                home.directory().resolve("pods/1a/volumes/tls/..v1/tls.key"),
                home.directory().resolve("pods/1a/home/.connection"));
        Path log = home.directory().resolve("pods/1a/logs/worker/current.newer");
        for (Path file : keys) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "secret");
        }
        Files.createDirectories(log.getParent());
        Files.writeString(log, "a line");

        assertThat(new EnvironmentControl(home, folder).down())
                .as("nothing ran")
                .isFalse();

        assertThat(keys).allSatisfy(file -> assertThat(file).doesNotExist());
        assertThat(log).hasContent("a line");
    }
}
