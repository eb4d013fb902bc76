/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.circuits.program.ProgramInvalidException;
import dev.ratchet.circuits.program.ProgramJar;
import dev.ratchet.circuits.sql.RepeatedKeys;
import dev.ratchet.dataflow.record.Programs;
import dev.ratchet.dataflow.record.StoredProgram;
import dev.ratchet.environment.SystemEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A circuit whose program is a class of a jar, on workers in one process. */
class ClassCircuitTest {

    private static final String COUNTER = "dev.ratchet.dataflow.ClassCircuitTest";
    private static final String SUMS = """
            private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
            @Override
            public void build(CircuitBuilder circuit) {
                Stream sums = circuit.table("t", NamedColumns.of("k", BIGINT).and("v", BIGINT))
                        .filter(RowFilter.named("v over 0", row -> row.longAt(1) > 0))
                        .aggregate(List.of(0), List.of(AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull())));
                circuit.view("s", sums, List.of("k", "total"));
            }
            """;
    private static final String ONE_MORE =
            SUMS.replace("circuit.view(", "circuit.view(\"big\", sums, List.of(\"k\", \"total\")); circuit.view(");

    @TempDir
    private Path directory;

    @TempDir
    private Path jars;

    private String jar(DataflowCluster cluster, String members) {
        return cluster.jars().put(ProgramJar.of(jars, members), true);
    }

    private static DataflowSettings settings(String jar) {
        return new DataflowSettings(
                "c",
                new ProgramSource.OfClass(jar, "com.acme.Totals"),
                false,
                1,
                200,
                2,
                OnError.COLLECT,
                Map.of(),
                "",
                List.of(),
                List.of());
    }

    private static StoredProgram noPlan() {
        throw new IllegalStateException("A class has no plan");
    }

    private static String message(DataflowCluster cluster) {
        return cluster.worker(0).status().message();
    }

    @Test
    void itRunsSurvivesAWorkerAndKeepsItsStateWithAnotherJarOfTheSameGraph() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 3)) {
            String first = jar(cluster, SUMS);
            cluster.configure(settings(first));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}", "{\"k\":1,\"v\":-9}");
            cluster.await("a version", () -> cluster.worker(0).status().version() > 0);
            cluster.restart(2);
            Received behind = cluster.append(1, "p", 1, "t", "{\"k\":1,\"v\":3}");
            cluster.awaitOutputOf(behind.position(), "s");
            String second = jar(cluster, "static int unused() { return 1; }" + SUMS);
            assertThat(second).isNotEqualTo(first);
            cluster.configure(settings(second));
            cluster.await(
                    "the first jar to be let go",
                    () -> cluster.jars().released().equals(Set.of(first)));
            Received last = cluster.append(1, "p", 2, "t", "{\"k\":1,\"v\":4}");
            cluster.awaitOutputOf(last.position(), "s");
            assertThat(cluster.changes("s").values())
                    .containsExactly(List.of("1 2 x1"), List.of("1 2 x-1", "1 5 x1"), List.of("1 5 x-1", "1 9 x1"));
        }
    }

    @Test
    void oneMoreViewIsRefusedByItsNameAndTheOneBeforeGoesOn() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(settings(jar(cluster, SUMS)));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.configure(settings(jar(cluster, ONE_MORE)));
            cluster.await("the refusal", () -> message(cluster).contains("differs"));
            assertThat(message(cluster)).contains("it has [view big ").doesNotContain("lacks");
            assertThat(cluster.worker(0).status().state()).isEqualTo(DataflowState.RUNNING);
            cluster.follow("s");
            Received row = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(row.position(), "s");
        }
    }

    /** What a function may throw that is no exception of it: an assertion, a text that can not be made, no end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throw new AssertionError(\"thirteen\")|thirteen",
                "throw new Silent()|no text",
                "return endless(row.longAt(1))|StackOverflowError"
            })
    void aStepThatBreaksOffTwiceStopsTheCircuitAndNamesItsOperator(String broken, String told) {
        String program = SUMS.replace(
                        "row -> row.longAt(1) > 0",
                        "row -> { if (row.longAt(1) == 13) { " + broken + "; } return true; }")
                + "private static final class Silent extends RuntimeException {"
                + " @Override public String toString() { throw new IllegalStateException(\"no text\"); } }"
                + "private static boolean endless(long n) { return endless(n + 1) && endless(n + 2); }";
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(settings(jar(cluster, program)));
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.follow("s");
            Received good = cluster.append(0, "p", 0, "t", "{\"k\":1,\"v\":2}");
            cluster.awaitOutputOf(good.position(), "s");
            cluster.append(0, "p", 1, "t", "{\"k\":1,\"v\":13}");
            cluster.awaitState(0, DataflowState.STOPPED);
            assertThat(message(cluster)).contains(told, "can not be taken", "operator", "v over 0", "decide skip-1");
        }
    }

    @Test
    void aJarThatIsNotThereIsToldAndAwaitedAndABadOneLeavesTheLastRunning() {
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            Path file = ProgramJar.of(jars, SUMS);
            cluster.configure(settings(cluster.jars().put(file, false)));
            cluster.awaitState(0, DataflowState.PROGRAM_INVALID);
            assertThat(message(cluster)).contains("is not there");
            cluster.jars().put(file, true);
            cluster.awaitState(0, DataflowState.RUNNING);
            cluster.configure(
                    settings(jar(cluster, SUMS.replace("RowFilter.named(\"v over 0\", row", "((RowFilter) row"))));
            cluster.awaitState(0, DataflowState.PROGRAM_INVALID);
            assertThat(message(cluster)).contains("The function of filter has no name", "the one before goes on");
            assertThat(cluster.worker(0).participants()).hasSize(2);
        }
    }

    @Test
    void aWorkerThatBuildsAnotherGraphRefusesItByWhatDiffers() {
        System.setProperty(COUNTER, "0");
        String each = SUMS.replace(
                "circuit.view(\"s\"",
                "int n = Integer.getInteger(\"" + COUNTER + "\");"
                        + " System.setProperty(\"" + COUNTER + "\", String.valueOf(n + 1));"
                        + " circuit.view(\"s\" + n");
        try (DataflowCluster cluster = new DataflowCluster(directory, 2)) {
            cluster.configure(settings(jar(cluster, each)));
            cluster.await("the refusal", () -> message(cluster).contains("w-1 refuses the program"));
            assertThat(message(cluster))
                    .contains(
                            "builds another circuit here",
                            "it has [view s1",
                            "it lacks [view s0",
                            "no time, randomness");
            assertThat(cluster.worker(0).status().state()).isEqualTo(DataflowState.PROGRAM_INVALID);
        } finally {
            System.clearProperty(COUNTER);
        }
    }

    @Test
    void aClassThatDoesNotReturnIsGivenUpAndNotBegunAgain() {
        TestJars source = new TestJars();
        String endless = source.put(
                ProgramJar.of(
                        jars,
                        "public void build(CircuitBuilder circuit) {"
                                + " while (!Thread.interrupted()) { Thread.onSpinWait(); } }"),
                true);
        try (SystemEnvironment environment = new SystemEnvironment()) {
            Programs programs = new Programs(source, environment, Programs.Planner.SQL, 100);
            ProgramSource program = new ProgramSource.OfClass(endless, "com.acme.Totals");
            assertThatThrownBy(() -> programs.prepare(program, RepeatedKeys.UPSERTED, ClassCircuitTest::noPlan)
                            .join())
                    .hasCauseInstanceOf(ProgramInvalidException.class)
                    .hasMessageContaining("has not built its circuit within 100 ms");
            assertThat(programs.prepare(program, RepeatedKeys.UPSERTED, ClassCircuitTest::noPlan))
                    .isSameAs(programs.prepare(program, RepeatedKeys.UPSERTED, ClassCircuitTest::noPlan));
        }
    }
}
