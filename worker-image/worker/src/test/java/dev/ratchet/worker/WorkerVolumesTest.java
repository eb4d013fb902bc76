/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerVolumesTest {

    @TempDir
    Path directory;

    @Test
    void dataEndWithThePodUnlessTheOperatorSaysOtherwise() throws IOException {
        write("{\"cluster\":\"orders\"}");
        assertThat(WorkerVolumes.areTold(directory)).isFalse();
        write("{\"volumes\":true}");
        assertThat(WorkerVolumes.areTold(directory)).isTrue();
    }

    @Test
    void aFileThatCanNotBeReadIsNamed() throws IOException {
        write("{");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkerVolumes.areTold(directory))
                .withMessageContaining("cluster.json is not JSON");
    }

    private void write(String document) throws IOException {
        Files.writeString(directory.resolve("cluster.json"), document);
    }
}
