/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.TableInput;
import dev.ratchet.circuits.sql.Relation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A class of a jar is a program like one in SQL, and one that can not be used says what to do. */
class ClassProgramTest {

    private static final String CLASS = "com.acme.Totals";
    private static final String TABLE = """
            private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);
            private static final NamedColumns ROWS = NamedColumns.of("k", BIGINT).and("v", BIGINT);
            """;
    private static final String SUMS = TABLE + """
            @Override
            public void build(CircuitBuilder circuit) {
                Stream sums = circuit.table("t", ROWS)
                        .filter(RowFilter.named("v over 0", row -> row.longAt(1) > 0))
                        .aggregate(List.of(0), List.of(AggregateCall.of(AggregateKind.SUM, 1, BIGINT.orNull())));
                circuit.view("s", sums, List.of("k", "total"));
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void itsTablesAndViewsHaveNamesOfColumnsAndItsResultsAreThoseOfItsFunctions() {
        ClassProgram program = ClassProgram.load(ProgramJar.of(directory, SUMS), CLASS, OutputKeys.NONE);
        assertThat(program.tables()).extracting(Relation::name).containsExactly("t");
        assertThat(program.views().getFirst().columns())
                .extracting(Relation.Column::name)
                .containsExactly("k", "total");
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(2))) {
            add(circuit.input("t"), 1, 5);
            add(circuit.input("t"), 1, 7);
            add(circuit.input("t"), 2, -3);
            circuit.step();
            var row = circuit.output("s").cursor();
            assertThat(row.longAt(0)).isEqualTo(1);
            assertThat(row.longAt(1)).isEqualTo(12);
            row.next();
            assertThat(row.valid()).isFalse();
        }
    }

    @Test
    void aViewHasTheKeyThatTheClassNamesUnlessOneIsSaidBesideIt() {
        String named = SUMS.replace("List.of(\"k\", \"total\"));", "List.of(\"k\", \"total\"), List.of(\"total\"));");
        Path jar = ProgramJar.of(directory, named);
        assertThat(key(jar, OutputKeys.NONE)).containsExactly(1);
        assertThat(key(jar, new OutputKeys(Map.of("S", List.of("Total", "k"))))).containsExactly(1, 0);
        assertThatThrownBy(() -> key(jar, new OutputKeys(Map.of("s", List.of("v")))))
                .isInstanceOf(ProgramInvalidException.class)
                .hasMessageContaining("outputs[].key of view s: there is no column 'v'; the columns are [k, total]");
        assertThatThrownBy(() -> key(jar, new OutputKeys(Map.of("t", List.of("v")))))
                .isInstanceOf(ProgramInvalidException.class)
                .hasMessageContaining("outputs[].key of view t: the program has no such view; those that it puts out");
        Path mistaken = ProgramJar.of(directory, named.replace("List.of(\"total\"));", "List.of(\"v\"));"));
        assertThatThrownBy(() -> key(mistaken, OutputKeys.NONE))
                .isInstanceOf(ProgramInvalidException.class)
                .hasMessageContaining("The key of view s: there is no column 'v'; the columns are [k, total]");
    }

    private static List<Integer> key(Path jar, OutputKeys outputKeys) {
        return ClassProgram.load(jar, CLASS, outputKeys).views().getFirst().key();
    }

    private static void add(TableInput input, long key, long value) {
        input.setLong(0, key);
        input.setLong(1, value);
        input.add(1);
    }

    @Test
    void anotherJarOfTheSameGraphHasItsFingerprintAndOneMoreViewIsTold() {
        ClassProgram program = ClassProgram.load(ProgramJar.of(directory, SUMS), CLASS, OutputKeys.NONE);
        ClassProgram edited = ClassProgram.load(
                ProgramJar.of(directory, "static int unused() { return 1; }" + SUMS), CLASS, OutputKeys.NONE);
        assertThat(edited.fingerprint()).isEqualTo(program.fingerprint());
        assertThat(edited.listing()).isEqualTo(program.listing());
        String more = SUMS.replace("circuit.view", "circuit.view(\"n\", sums, List.of(\"k\", \"n\")); circuit.view");
        ClassProgram larger = ClassProgram.load(ProgramJar.of(directory, more), CLASS, OutputKeys.NONE);
        assertThat(larger.fingerprint()).isNotEqualTo(program.fingerprint());
        assertThat(larger.listing()).containsAll(program.listing()).anyMatch(line -> line.startsWith("view n "));
    }

    @Test
    void anotherNameOfAFunctionIsAnotherProgram() {
        String before = ClassProgram.load(ProgramJar.of(directory, SUMS), CLASS, OutputKeys.NONE)
                .fingerprint();
        String other = SUMS.replace("v over 0", "v over 10").replace("> 0", "> 10");
        assertThat(ClassProgram.load(ProgramJar.of(directory, other), CLASS, OutputKeys.NONE)
                        .fingerprint())
                .isNotEqualTo(before);
    }

    static Stream<Arguments> mistakes() {
        String unnamed = SUMS.replace("RowFilter.named(\"v over 0\", row -> row.longAt(1) > 0)", "row -> true");
        String twice = SUMS.replace(
                ".aggregate(", ".filter(RowFilter.named(\"v over 0\", row -> row.longAt(0) > 0)).aggregate(");
        return Stream.of(
                Arguments.of(unnamed, "The function of filter has no name", "com.acme.Totals.build (Totals.java:"),
                Arguments.of(twice, "Two functions have the name 'v over 0'", "Totals.java:"),
                Arguments.of(
                        SUMS.replace("table(\"t\", ROWS)", "table(\"t\", ROWS.types())"),
                        "Table t has no names of columns",
                        "NamedColumns.of"),
                Arguments.of(
                        SUMS.replace(", List.of(\"k\", \"total\")", ""), "View s has no names of columns", "List.of"),
                Arguments.of(
                        SUMS.replace("List.of(\"k\", \"total\")", "List.of(\"k\")"),
                        "1 names for 2 columns",
                        "give one for each"),
                Arguments.of(
                        SUMS.replace("circuit.view(", "circuit.build(); circuit.view("),
                        "was built already",
                        "leave out build()"),
                Arguments.of(
                        TABLE + "public void build(CircuitBuilder circuit) { circuit.table(\"t\", ROWS); }",
                        "declares no view",
                        "CircuitBuilder.view"),
                Arguments.of(
                        "public void build(CircuitBuilder circuit) { throw new ArithmeticException(\"by zero\"); }",
                        "can not build its circuit at com.acme.Totals.build (Totals.java:",
                        "ArithmeticException: by zero"),
                Arguments.of(
                        "public void build(CircuitBuilder circuit) { build(circuit); }",
                        "can not build its circuit",
                        "StackOverflowError"),
                Arguments.of(
                        "static final int N = Integer.parseInt(\"x\");"
                                + " public void build(CircuitBuilder circuit) {}",
                        "can not be loaded at com.acme.Totals.<clinit>",
                        "For input string"),
                Arguments.of(
                        "Totals() {} public void build(CircuitBuilder circuit) {}",
                        "can not be made",
                        "public constructor without parameters"),
                Arguments.of(
                        "public Totals() { throw new IllegalStateException(\"no\"); }"
                                + " public void build(CircuitBuilder circuit) {}",
                        "throws in its constructor at com.acme.Totals.<init>",
                        "no"),
                Arguments.of(
                        "public void build(CircuitBuilder circuit) {"
                                + " dev.ratchet.circuits.sql.SqlProgram.compile(\"\"); }",
                        "NoClassDefFoundError: dev/ratchet/circuits/sql/SqlProgram",
                        "programs are built with alone"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aProgramThatCanNotBeUsedSaysWhereAndWhatToDo(String members, String what, String more) {
        Path jar = ProgramJar.of(directory, members);
        assertThatThrownBy(() -> ClassProgram.load(jar, CLASS, OutputKeys.NONE))
                .isInstanceOf(ProgramInvalidException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(more);
    }

    @Test
    void aClassThatIsNotThereOrNoProgramAndAFileThatIsNoJarAreRefused() throws IOException {
        Path jar = ProgramJar.of(directory, SUMS);
        assertThatThrownBy(() -> ClassProgram.load(jar, "com.acme.Other", OutputKeys.NONE))
                .hasMessageContaining("has no class com.acme.Other; give its full name");
        Path noProgram = ProgramJar.ofClass(directory, "public class Totals {}");
        assertThatThrownBy(() -> ClassProgram.load(noProgram, CLASS, OutputKeys.NONE))
                .hasMessageContaining("does not implement dev.ratchet.circuits.builder.CircuitProgram");
        Path damaged = Files.writeString(directory.resolve("damaged.jar"), "PK no more");
        assertThatThrownBy(() -> ClassProgram.load(damaged, CLASS, OutputKeys.NONE))
                .hasMessageContaining("is no jar");
    }
}
