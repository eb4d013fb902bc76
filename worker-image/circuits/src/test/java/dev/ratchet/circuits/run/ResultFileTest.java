/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the state counts on after {@link ResultFile#sync}: the bytes, and the name under which they are found. */
class ResultFileTest {

    @TempDir
    private Path directory;

    @Test
    void theNameIsStoredWithTheFirstBytesThatMustSurvive() throws IOException {
        Path file = directory.resolve("out.jsonl");
        List<Path> stored = new ArrayList<>();
        try (ResultFile out = new ResultFile(file, 0, stored::add)) {
            out.write("a\n".getBytes(StandardCharsets.UTF_8));
            assertThat(stored).isEmpty();
            out.sync();
            out.sync();
        }
        assertThat(stored).containsExactly(directory);
        // Who made the file may have crashed before its name was stored.
        try (ResultFile out = new ResultFile(file, 2, stored::add)) {
            out.sync();
        }
        assertThat(stored).containsExactly(directory, directory);
    }

    @Test
    void aNameThatIsNotStoredIsTriedAgain() throws IOException {
        Path file = directory.resolve("out.jsonl");
        List<Path> tried = new ArrayList<>();
        try (ResultFile out = new ResultFile(file, 0, parent -> {
            tried.add(parent);
            throw new IOException("Input/output error");
        })) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(out::sync)
                        .isInstanceOf(IOException.class)
                        .hasMessage("Can not write " + file + ": Input/output error");
            }
        }
        assertThat(tried).hasSize(2);
    }

    @Test
    void bytesAndNameAreStoredInRealDirectories() throws IOException {
        Path file = directory.resolve("out.jsonl");
        try (ResultFile out = new ResultFile(file, 0)) {
            out.write("a\n".getBytes(StandardCharsets.UTF_8));
            out.sync();
        }
        assertThat(Files.readString(file)).isEqualTo("a\n");
    }
}
