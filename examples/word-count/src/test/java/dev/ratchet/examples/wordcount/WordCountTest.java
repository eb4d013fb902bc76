/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountTest {

    private static final String LINE = "the cat and The dog\n";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final LocalRatchet ratchet = new LocalRatchet();

    @Test
    void everyCountIsPrintedInTheOrderOfWords() throws Exception {
        Files.writeString(folder.resolve("a"), LINE.repeat(1000));
        run(WordCount::new, InputStream.nullInputStream(), folder.toString());
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("and\t1000\ncat\t1000\ndog\t1000\nthe\t2000\n");
    }

    @Test
    void aWatchedCountWritesTheSameAndTellsHowItWent() throws Exception {
        Path text = Files.createDirectory(folder.resolve("text"));
        Files.writeString(text.resolve("a"), LINE.repeat(1000));
        Path output = folder.resolve("counts");
        watch(InputStream.nullInputStream(), text.toString(), "--output", output.toString(), "--piece-bytes", "7");
        assertThat(output).hasContent("and\t1000\ncat\t1000\ndog\t1000\nthe\t2000\n");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("5,000 words, 4 different ones")
                .contains("2,000  the")
                .contains("w-0")
                .contains("100 %");
    }

    @Test
    void aFolderWithoutTextHasNoWords() throws Exception {
        watch(InputStream.nullInputStream(), folder.toString());
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("0 words, 0 different ones");
    }

    @Test
    void itWaitsForALineAtEachPause() throws Exception {
        Files.writeString(folder.resolve("a"), LINE.repeat(100));
        watch(
                new ByteArrayInputStream(new byte[] {'\n', '\n'}),
                folder.toString(),
                "--piece-bytes",
                "20",
                "--pause-at",
                "75,25");
        String text = printed.toString(StandardCharsets.UTF_8);
        assertThat(text).containsSubsequence("paused at 25 %", "paused at 75 %", "100 %", "500 words");
    }

    @Test
    void whatCanNotBeUsedIsToldInOneLine() {
        for (List<String> arguments : List.of(
                List.<String>of(),
                List.of("/no/such/folder"),
                List.of(folder.toString(), "another"),
                List.of(folder.toString(), "--colour"),
                List.of(folder.toString(), "--output"),
                List.of(folder.toString(), "--output", "/no/such/file"),
                List.of(folder.toString(), "--piece-bytes", "0"),
                List.of(folder.toString(), "--top", "many"))) {
            for (Program program : List.of(new WordCount(), new WatchedCount())) {
                assertThatThrownBy(() -> program.run(ratchet.asRatchet(), arguments))
                        .as("%s", arguments)
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageNotContaining("\n");
            }
        }
    }

    private void watch(InputStream input, String... arguments) throws Exception {
        run(WatchedCount::new, input, arguments);
    }

    private void run(Supplier<Program> program, InputStream input, String... arguments) throws Exception {
        PrintStream out = System.out;
        InputStream in = System.in;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setIn(input);
        try {
            program.get().run(ratchet.asRatchet(), List.of(arguments));
        } finally {
            System.setOut(out);
            System.setIn(in);
        }
    }
}
