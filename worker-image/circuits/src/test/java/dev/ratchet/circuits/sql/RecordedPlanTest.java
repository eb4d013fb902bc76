/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.expression.Expression;
import dev.ratchet.circuits.instruction.Instruction;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A plan that was recorded is the same program in every process. Each directory among the resources has a program and
 * the plan that the release of its name recorded of it, which is never written again: a release that adds an
 * instruction adds its own, by {@link #main}.
 */
class RecordedPlanTest {

    private static final Path RESOURCES = Path.of("src/test/resources/dev/ratchet/circuits");
    private static final Path PLANS = RESOURCES.resolve("sql/plans");
    private static final String CONSTANTS = """
            CREATE TABLE t (b VARBINARY, f DOUBLE, s VARCHAR, d DECIMAL(38, 6));
            CREATE VIEW v AS SELECT * FROM t WHERE b = X'00FF' OR f > 0.1E0 OR s = 'a\0é' OR d > 0.100000
              OR s IN ('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten');
            """;

    static List<Path> programs() throws IOException {
        try (Stream<Path> own = Files.walk(RESOURCES);
                Stream<Path> examples = Files.walk(Path.of("../../examples/circuits"))) {
            return Stream.concat(
                            own.filter(file -> file.endsWith("program.sql")),
                            examples.filter(file -> file.toString().endsWith(".sql")))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void isTheProgramThatWasPlanned(Path file) throws IOException {
        RecordedPlans.throughBytes(SqlProgram.compile(Files.readString(file)));
    }

    static List<Path> releases() throws IOException {
        try (Stream<Path> releases = Files.list(PLANS)) {
            return releases.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void ofAReleaseBeforeBuildsTheSameCircuit(Path release) throws IOException {
        byte[] recorded = Files.readAllBytes(release.resolve("plan.json"));
        SqlProgram program = SqlProgram.ofRecorded(recorded);
        assertThat(new String(program.recorded(), StandardCharsets.UTF_8))
                .isEqualTo(new String(recorded, StandardCharsets.UTF_8));
    }

    @Test
    void everyKindOfInstructionAndExpressionIsInThoseOfReleases() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path release : releases()) {
            all.append(Files.readString(release.resolve("plan.json")));
        }
        assertThat(Stream.of(Instruction.class, Expression.class)
                        .flatMap(set -> Stream.of(set.getPermittedSubclasses()))
                        .map(kind -> "{\"is\":\"" + kind.getSimpleName() + "\""))
                .allSatisfy(kind -> assertThat(all).contains(kind));
    }

    /** Another process, which prints what it records; or writes the plan of a release, whose directory it is given. */
    public static void main(String[] directory) throws IOException {
        if (directory.length == 0) {
            System.out.println("plan "
                    + HexFormat.of().formatHex(SqlProgram.compile(CONSTANTS).recorded()));
        } else {
            Path release = Path.of(directory[0]);
            SqlProgram program = SqlProgram.compile(Files.readString(release.resolve("program.sql")));
            Files.write(release.resolve("plan.json"), program.recorded());
        }
    }

    @Test
    void isTheSameBytesInEveryProcess() throws Exception {
        SqlProgram program = SqlProgram.compile(CONSTANTS);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordedPlanTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> other = process.inputReader()
                .lines()
                .filter(line -> line.startsWith("plan "))
                .toList();
        assertThat(process.waitFor()).isZero();
        assertThat(other).containsExactly("plan " + HexFormat.of().formatHex(program.recorded()));
        RecordedPlans.throughBytes(program);
    }

    @Test
    void tellsWhatIsWrongWithItAndWhatHelps() {
        byte[] plan = SqlProgram.compile(CONSTANTS).recorded();
        assertRefused(plan, text -> text.replace("\"format\":1", "\"format\":2"), "format 2", "use the release");
        assertRefused(plan, text -> text.substring(0, text.length() / 2), "can not be read");
        assertRefused(plan, text -> "", "can not be read");
        assertRefused(plan, text -> text.replace("\"is\":\"Filter\"", "\"is\":\"Sieve\""), "Sieve");
        assertRefused(plan, text -> text.replace("\"is\":\"Or\"", "\"is\":\"Xor\""), "Xor");
        assertRefused(plan, text -> text.replace("Functions.less", "Functions.lesser"), "Functions.lesser", "newer");
        assertRefused(plan, text -> text.replace("\"double\":\"0.1\"", "\"double\":\"0.2\""), "builds circuit");
        assertRefused(plan, text -> text.replace("\"double\"", "\"quadruple\""), "quadruple", "newer");
        assertRefused(plan, text -> text.replaceAll("\"input\":\\d+", "\"input\":99"), "stream 99");
    }

    private static void assertRefused(byte[] plan, UnaryOperator<String> damage, String... parts) {
        String text = new String(plan, StandardCharsets.UTF_8);
        String damaged = damage.apply(text);
        assertThat(damaged).isNotEqualTo(text);
        assertThatThrownBy(() -> SqlProgram.ofRecorded(damaged.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UnreadablePlanException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void findsTheFunctionsOfUsersByTheirCode(@TempDir Path directory) throws Exception {
        String text = "CREATE TABLE t (k BIGINT);"
                + " CREATE FUNCTION following (n BIGINT) RETURNS BIGINT AS 'Next.of';"
                + " CREATE VIEW o AS SELECT following(k) AS n FROM t;";
        byte[] plan;
        try (URLClassLoader classes = withFunction(directory.resolve("one"), "n + 1")) {
            SqlProgram program = SqlProgram.compile(text, classes);
            plan = program.recorded();
            RecordedPlans.throughBytes(program, classes);
        }
        try (URLClassLoader classes = withFunction(directory.resolve("two"), "n + 2")) {
            assertThatThrownBy(() -> SqlProgram.ofRecorded(plan, classes))
                    .isInstanceOf(UnreadablePlanException.class)
                    .hasMessageContainingAll("Next", "give the jar");
        }
        assertThatThrownBy(() -> SqlProgram.ofRecorded(plan))
                .isInstanceOf(UnreadablePlanException.class)
                .hasMessageContainingAll("Next", "give the jar");
    }

    private static URLClassLoader withFunction(Path directory, String body) throws IOException {
        Path source = Files.createDirectories(directory).resolve("Next.java");
        Files.writeString(source, "public class Next { public static long of(long n) { return " + body + "; } }");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), source.toString()))
                .isZero();
        return new URLClassLoader(new URL[] {directory.toUri().toURL()});
    }
}
