/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ratchet.client.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderContentTest {

    /** The definition of an exact count, as the manual gives it. */
    private static final String REFERENCE =
            "find . -type f -print0 | sort -z | while IFS= read -r -d '' f; do cat \"$f\"; echo; done"
                    + " | tr -cs 'A-Za-z' '\\n' | tr A-Z a-z | grep . | sort | uniq -c";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 1 << 20})
    void theCountsAreThoseOfTheStandardTools(int pieceBytes) throws Exception {
        long seed = 20_260_101L + pieceBytes;
        Random random = new Random(seed);
        Files.createDirectories(folder.resolve("deep/er"));
        Files.write(folder.resolve("random"), randomText(random, 30_000));
        Files.write(folder.resolve("deep/noise"), noise(random, 20_000));
        Files.write(folder.resolve("deep/er/no end"), "the last word has no newLine".getBytes(StandardCharsets.UTF_8));
        Files.write(folder.resolve("deep/er/zz"), "line of its own".getBytes(StandardCharsets.UTF_8));
        Files.write(folder.resolve("letters"), "xY".repeat(60_000).getBytes(StandardCharsets.UTF_8));
        Files.createFile(folder.resolve("empty"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("letters"));
        Files.createSymbolicLink(folder.resolve("loop"), folder);

        assertThat(count(pieceBytes)).as("seed %d", seed).isEqualTo(reference());
    }

    @Test
    void aFolderWithoutFilesHasNoWords() {
        assertThat(count(10)).isEmpty();
    }

    @Test
    void aFolderNamedByALinkIsRead() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        Files.writeString(real.resolve("a"), "word");
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertThat(FolderContent.in(link).count()).isEqualTo(1);
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> FolderContent.in(folder.resolve("absent")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("absent")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFileThatCanNotBeReadIsNamed() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "word");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(secret), "this user may read everything");
        assertThatThrownBy(() -> FolderContent.in(folder))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("secret");
    }

    private SortedMap<String, Long> count(int pieceBytes) {
        return WordCount.sum(FolderContent.in(folder)
                .pieces(pieceBytes)
                .map(WordCount::count)
                .toList());
    }

    private SortedMap<String, Long> reference() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", REFERENCE).directory(folder.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        process.getInputStream().transferTo(output);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        TreeMap<String, Long> counts = new TreeMap<>();
        output.toString(StandardCharsets.US_ASCII).lines().forEach(line -> {
            String[] words = line.strip().split(" ", 2);
            counts.put(words[1], Long.parseLong(words[0]));
        });
        return counts;
    }

    private static byte[] randomText(Random random, int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) "abXYz \n-1'".charAt(random.nextInt(10));
        }
        return text;
    }

    private static byte[] noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
