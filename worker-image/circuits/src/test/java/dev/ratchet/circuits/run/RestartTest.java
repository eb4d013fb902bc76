/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.sample.Samples;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs over one state directory, however they are cut, write what one run writes. */
class RestartTest {

    private static final String PROGRAM = """
            CREATE TABLE e (a INT, b INT, t TIMESTAMP LATENESS INTERVAL '10' SECOND);
            CREATE TABLE n (id INT PRIMARY KEY, name VARCHAR);
            DECLARE RECURSIVE VIEW path (a INT, b INT);
            CREATE VIEW path AS SELECT a, b FROM e UNION SELECT p.a, e.b FROM path p JOIN e ON p.b = e.a;
            CREATE VIEW best AS SELECT * FROM
              (SELECT a, b, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS r FROM e) WHERE r <= 2;
            CREATE VIEW named AS SELECT e.a, n.name FROM e FULL JOIN n ON e.a = n.id AND e.b > 1;
            CREATE VIEW sums AS SELECT a, COUNT(DISTINCT b) AS d, MIN(b) AS least, AVG(b) AS mean FROM e GROUP BY a;
            CREATE VIEW total AS SELECT COUNT(*) AS n FROM e;
            CREATE VIEW outside AS SELECT id FROM n EXCEPT SELECT a FROM e;
            CREATE TABLE log (k INT, x INT, t TIMESTAMP LATENESS INTERVAL '3' SECOND) WITH ('append_only' = 'true');
            CREATE VIEW pieces AS SELECT k, window_start, COUNT(*) AS n FROM
              TABLE(TUMBLE(TABLE log, DESCRIPTOR(t), INTERVAL '4' SECOND)) GROUP BY k, window_start;
            CREATE VIEW visits AS SELECT k, window_start, window_end, SUM(x) AS s FROM
              TABLE(SESSION(TABLE log, DESCRIPTOR(t), DESCRIPTOR(k), INTERVAL '3' SECOND))
              GROUP BY k, window_start, window_end;
            CREATE VIEW rolling AS SELECT a, t, SUM(b) OVER
              (PARTITION BY a ORDER BY t RANGE BETWEEN INTERVAL '3' SECOND PRECEDING AND CURRENT ROW) AS s FROM e;
            CREATE VIEW newest AS SELECT * FROM log QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY t DESC, x) = 1;
            CREATE VIEW before AS SELECT e.a, e.t, log.x FROM e LEFT ASOF JOIN log
              MATCH_CONDITION e.t >= log.t ON e.a = log.k;
            CREATE TABLE u (k INT PRIMARY KEY, x INT) WITH ('upserts' = 'true');
            CREATE VIEW quotients AS SELECT k, 6 / x AS q FROM u;
            """;

    @TempDir
    private Path directory;

    private Path program;
    private Path in;
    private Path state;

    @BeforeEach
    void nameFiles() throws IOException {
        program = directory.resolve("program.sql");
        in = directory.resolve("changes.jsonl");
        state = directory.resolve("state");
        Files.writeString(program, PROGRAM);
    }

    static LongStream seeds() {
        return Samples.seeds(4);
    }

    private CircuitRun run(Path out, @Nullable Path kept, int threads, RunProgress progress) {
        return new CircuitRun(new RunOptions(program, in, out, threads, kept(kept), Map.of(), List.of()), progress);
    }

    /** Commits after every step, with so little memory that traces go to files. */
    private static RunOptions.@Nullable Kept kept(@Nullable Path directory) {
        return directory == null
                ? null
                : new RunOptions.Kept(directory, RunOptions.Kept.MEMORY_BYTES_MIN, 0, System::nanoTime);
    }

    private static void nothing(long step, long rowsIn, long rowsOut) {}

    /** Lines of steps with gaps; rows go again, and keys change hands. */
    private static List<List<String>> steps(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<String>> steps = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            long step = i * 7L;
            List<String> lines = new ArrayList<>();
            for (int change = random.nextInt(5); change > 0; change--) {
                if (!rows.isEmpty() && random.nextInt(3) == 0) {
                    String gone = rows.remove(random.nextInt(rows.size()));
                    lines.add("{\"step\":" + step + ",\"weight\":-1," + gone);
                } else {
                    String row = "\"table\":\"e\",\"row\":{\"a\":" + random.nextInt(5) + ",\"b\":" + random.nextInt(5)
                            + ",\"t\":\"2024-01-01 00:00:" + (10 + i) + "\"}}";
                    rows.add(row);
                    lines.add("{\"step\":" + step + ",\"weight\":1," + row);
                }
            }
            lines.add("{\"step\":" + step + ",\"table\":\"log\",\"weight\":1,\"row\":{\"k\":" + random.nextInt(3)
                    + ",\"x\":" + random.nextInt(9) + ",\"t\":\"2024-01-01 00:00:" + (15 + i - random.nextInt(5))
                    + "\"}}");
            lines.add("{\"step\":" + step + ",\"table\":\"u\",\"weight\":" + (random.nextInt(4) == 0 ? -1 : 1)
                    + ",\"row\":{\"k\":" + random.nextInt(3) + ",\"x\":" + random.nextInt(3) + "}}");
            lines.add("{\"step\":" + step + ",\"table\":\"n\",\"weight\":1,\"row\":{\"id\":" + i + ",\"name\":\"x\"}}");
            steps.add(lines);
        }
        return steps;
    }

    private void write(List<List<String>> steps) throws IOException {
        Files.write(in, steps.stream().flatMap(List::stream).toList());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void runsThatGoOnWriteWhatOneRunWrites(long seed) throws IOException {
        List<List<String>> steps = steps(seed);
        Path whole = directory.resolve("whole.jsonl");
        Path parts = directory.resolve("parts.jsonl");
        write(steps);
        run(whole, null, 2, RestartTest::nothing).run();
        int cut = 1 + new SplittableRandom(seed).nextInt(steps.size() - 1);
        write(steps.subList(0, cut));
        run(parts, state, 3, RestartTest::nothing).run();
        write(steps);
        run(parts, state, 1, RestartTest::nothing).run();
        CircuitRun.Summary again = run(parts, state, 2, RestartTest::nothing).run();
        assertThat(again.steps()).isZero();
        assertThat(parts).hasSameTextualContentAs(whole);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRunThatIsKilledAgainAndAgainIsContinuedWithoutAGapOrARepetition(long seed) throws IOException {
        List<List<String>> steps = steps(seed);
        write(steps);
        Path whole = directory.resolve("whole.jsonl");
        run(whole, null, 1, RestartTest::nothing).run();
        Path out = directory.resolve("out.jsonl");
        Path saved = directory.resolve("saved");
        SplittableRandom random = new SplittableRandom(seed);
        for (long done = 0; done < steps.size() - 1; ) {
            done += 1 + random.nextInt((int) (steps.size() - 1 - done));
            long killed = 7L * done;
            run(out, state, Samples.threads(random.nextInt(4)), (step, rowsIn, rowsOut) -> {
                        if (step == killed) {
                            copy(state, saved);
                            copyFile(out, directory.resolve("saved.jsonl"));
                        }
                    })
                    .run();
            delete(state);
            copy(saved, state);
            delete(saved);
            Files.move(directory.resolve("saved.jsonl"), out, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        assertThatThrownBy(() -> run(directory.resolve("other.jsonl"), state, 1, RestartTest::nothing)
                        .run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("give --out " + out);
        run(out, state, 3, RestartTest::nothing).run();
        assertThat(out).hasSameTextualContentAs(whole);
    }

    @Test
    void anotherFileMayBeNamedAfterACleanEnd() throws IOException {
        List<List<String>> steps = steps(1);
        write(steps);
        Path whole = directory.resolve("whole.jsonl");
        run(whole, null, 1, RestartTest::nothing).run();
        Path first = directory.resolve("first.jsonl");
        Path second = directory.resolve("second.jsonl");
        write(steps.subList(0, 6));
        run(first, state, 1, RestartTest::nothing).run();
        write(steps);
        run(second, state, 1, RestartTest::nothing).run();
        assertThat(Files.readString(first) + Files.readString(second)).isEqualTo(Files.readString(whole));
    }

    /** State of one must not be taken for that of the other. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT x FROM t, UNNEST(a) AS q(x) | SELECT x FROM t LEFT JOIN UNNEST(a) AS q(x) ON TRUE",
                "SELECT x FROM t, UNNEST(a) AS q(x) | SELECT x FROM t, UNNEST(a) WITH ORDINALITY AS q(x, o)",
                "SELECT LAG(k) OVER (ORDER BY k) l FROM t | SELECT LAG(k) IGNORE NULLS OVER (ORDER BY k) l FROM t",
                "SELECT k FROM t WHERE s LIKE 'a%' | SELECT k FROM t WHERE s ILIKE 'a%'",
                "SELECT COUNT(k) AS n FROM t | SELECT COUNT(DISTINCT k) AS n FROM t",
                "SELECT k FROM t UNION SELECT k FROM t | SELECT k FROM t UNION ALL SELECT k FROM t"
            })
    void programsThatDifferInAWordAreTwo(String one, String other) {
        assertThat(fingerprint("", one)).isNotEqualTo(fingerprint("", other));
        assertThat(fingerprint("LATENESS 5", one)).isNotEqualTo(fingerprint("LATENESS 6", one));
    }

    private static String fingerprint(String promise, String query) {
        return SqlProgram.compile("CREATE TABLE t (k INT " + promise + ", s VARCHAR, a INT ARRAY); CREATE VIEW v AS "
                        + query + ";")
                .plan()
                .fingerprint();
    }

    @Test
    void theStateOfAnotherProgramIsRefused() throws IOException {
        write(steps(1));
        Path out = directory.resolve("out.jsonl");
        run(out, state, 1, RestartTest::nothing).run();
        String written = Files.readString(out);
        Files.writeString(program, PROGRAM.replace("r <= 2", "r <= 3"));
        assertThatThrownBy(() -> run(out, state, 1, RestartTest::nothing).run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("is of another program");
        Files.writeString(program, "-- only a comment more\n" + PROGRAM);
        run(out, state, 1, RestartTest::nothing).run();
        assertThat(out).hasContent(written);
    }

    @Test
    void aDamagedFileOfTheStateIsNamed() throws IOException {
        List<List<String>> steps = steps(1);
        write(steps.subList(0, 11));
        Path out = directory.resolve("out.jsonl");
        run(out, state, 2, RestartTest::nothing).run();
        write(steps);
        try (Stream<Path> files = Files.list(state)) {
            for (Path file : files.filter(RestartTest::isBatches).toList()) {
                byte[] whole = Files.readAllBytes(file);
                byte[] damaged = whole.clone();
                damaged[whole.length - 1] ^= 1;
                Files.write(file, damaged);

                assertThatThrownBy(
                                () -> run(out, state, 2, RestartTest::nothing).run())
                        .isInstanceOf(InputException.class)
                        .hasMessageContaining(file.getFileName().toString());
                Files.write(file, whole);
            }
        }
        assertThat(run(out, state, 2, RestartTest::nothing).run()).isNotNull();
    }

    private static boolean isBatches(Path file) {
        return file.getFileName().toString().startsWith("batch-");
    }

    @Test
    void aBadLineLeavesTheStepsBeforeCommitted() throws IOException {
        List<List<String>> steps = steps(2);
        Path whole = directory.resolve("whole.jsonl");
        write(steps);
        run(whole, null, 1, RestartTest::nothing).run();
        Path out = directory.resolve("out.jsonl");
        List<List<String>> bad = new ArrayList<>(steps);
        bad.set(5, List.of("{\"step\":35,\"table\":\"n\",\"weight\":1,\"row\":{\"id\":\"five\"}}"));
        write(bad);
        assertThatThrownBy(() -> run(out, state, 1, RestartTest::nothing).run())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("column id");
        write(steps);
        run(out, state, 1, RestartTest::nothing).run();
        assertThat(out).hasSameTextualContentAs(whole);
    }

    private static void copy(Path from, Path to) {
        try {
            Files.createDirectories(to);
            try (var files = Files.list(from)) {
                files.forEach(file -> copyFile(file, to.resolve(file.getFileName())));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void copyFile(Path from, Path to) {
        try {
            Files.copy(from, to, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
