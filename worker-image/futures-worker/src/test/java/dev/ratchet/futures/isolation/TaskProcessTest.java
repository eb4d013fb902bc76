/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that do not become what they were started for. */
class TaskProcessTest {

    private final SystemEnvironment environment = new SystemEnvironment();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void aProcessThatEndsBeforeItConnectsWasNotStartedForAReasonThatItPrints() {
        Path socket = directory.resolve("socket");

        assertThatThrownBy(() -> TaskProcess.start(
                        List.of("/bin/sh", "-c", "echo not enough memory; exit 1"), socket, Thread::new, environment))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not start")
                .hasMessageContaining("not enough memory");
        assertThat(socket).doesNotExist();
    }

    @Test
    void aProgramThatIsNotThereWasNotStarted() {
        Path socket = directory.resolve("socket");

        assertThatThrownBy(() -> TaskProcess.start(List.of("/no/such/program"), socket, Thread::new, environment))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/such/program");
        assertThat(socket).doesNotExist();
    }
}
