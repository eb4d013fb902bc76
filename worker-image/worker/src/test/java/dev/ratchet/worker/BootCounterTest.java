/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootCounterTest {

    @TempDir
    Path directory;

    @Test
    void everyProcessOfADirectoryGetsAHigherNumber() throws IOException {
        for (long expected = 1; expected <= 12; expected++) {
            try (BootCounter counter = BootCounter.next(directory)) {
                assertThat(counter.number()).isEqualTo(expected);
            }
        }
    }

    @Test
    void aDirectoryIsForOneProcessAtATime() throws IOException {
        try (BootCounter counter = BootCounter.next(directory)) {
            assertThat(counter.number()).isEqualTo(1);
            assertThatIOException()
                    .isThrownBy(() -> BootCounter.next(directory))
                    .withMessageContaining("one data directory is for one worker at a time");
        }
    }

    @Test
    void aDamagedNumberIsRefusedInsteadOfStartingAgain() throws IOException {
        Files.writeString(directory.resolve("boot"), "seven");
        assertThatIOException()
                .isThrownBy(() -> BootCounter.next(directory))
                .withMessageContaining("holds 'seven' instead of a number");
    }
}
