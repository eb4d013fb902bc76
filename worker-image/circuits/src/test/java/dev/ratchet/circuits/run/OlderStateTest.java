/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * State that a release before has written is continued by this one. Each directory among the resources was written by
 * the release of its name: its program keeps state in every operator, and its state holds the steps below
 * {@value #CUT}. It is never written again; a release adds its own by {@code ratchet circuit run --sql program.sql --in
 * [the steps below] --out results.jsonl --state state}.
 */
class OlderStateTest {

    private static final Path RESOURCES = Path.of("src/test/resources/dev/ratchet/circuits/run/states");
    private static final long CUT = 60;

    @TempDir
    private Path directory;

    static List<Path> releases() throws IOException {
        try (Stream<Path> releases = Files.list(RESOURCES)) {
            return releases.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void isContinuedAsIfThisReleaseHadWrittenIt(Path release) throws IOException {
        Path whole = directory.resolve("whole.jsonl");
        run(release, whole, null, 1);
        List<String> expected = Files.readAllLines(whole).stream()
                .filter(line -> Long.parseLong(line.replaceFirst("^\\{\"step\":(-?\\d+),.*", "$1")) >= CUT)
                .toList();
        assertThat(expected).hasSizeGreaterThan(100);
        for (int threads : new int[] {1, 3}) {
            Path state = Files.createDirectory(directory.resolve("state" + threads));
            try (Stream<Path> files = Files.list(release.resolve("state"))) {
                for (Path file : files.toList()) {
                    Files.copy(file, state.resolve(file.getFileName()));
                }
            }
            Path rest = directory.resolve("rest" + threads + ".jsonl");
            run(
                    release,
                    rest,
                    new RunOptions.Kept(state, RunOptions.Kept.MEMORY_BYTES_MIN, 0, System::nanoTime),
                    threads);
            assertThat(rest).hasContent(String.join("\n", expected));
        }
    }

    private static void run(Path release, Path out, RunOptions.@Nullable Kept kept, int threads) throws IOException {
        new CircuitRun(
                        new RunOptions(
                                release.resolve("program.sql"),
                                release.resolve("changes.jsonl"),
                                out,
                                threads,
                                kept,
                                Map.of(),
                                List.of()),
                        (step, rowsIn, rowsOut) -> {})
                .run();
    }
}
