/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * State is found by these names: where one changes, what a release wrote before is refused as that of another program.
 */
class ProgramIdTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "SELECT l.s, COUNT(*) AS n FROM l JOIN r ON l.k = r.k WHERE l.v BETWEEN r.lo AND r.hi GROUP BY l.s"
                        + " | 9229dac74da28fc4",
                "SELECT COUNT(*) AS n, SUM(v) AS v, MAX(k) AS k, COUNT(DISTINCT s) AS s FROM l | 4fb6ed71a75cc217",
                "SELECT COUNT(*) AS n, AVG(v) AS v, COUNT(DISTINCT s) AS s FROM l | afe8667e5e7b72c7",
                "SELECT l.s, r.hi FROM l JOIN r ON l.k = r.k | 05aa16869e281db8",
                "SELECT l.s, r.hi FROM l LEFT JOIN r ON l.k = r.k AND l.v + 1 > r.lo | 542420d120b56edd"
            })
    void programsWithoutPromisesKeepTheirNames(String query, String name) {
        assertThat(fingerprint(query)).isEqualTo(name);
    }

    /** Values that are counted once are kept otherwise since decision 119. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"SELECT k, AVG(v) AS a, COUNT(DISTINCT s) AS n FROM l GROUP BY k | 3f41b60eaa2e7645"})
    void stateThatIsKeptOtherwiseIsOfAnotherName(String query, String before) {
        assertThat(fingerprint(query)).isNotEqualTo(before);
    }

    /** Another process, which prints the names of the program. */
    public static void main(String[] queries) {
        for (String query : queries) {
            System.out.println(fingerprint(query));
        }
    }

    @Test
    void aProgramHasTheSameNameInEveryProcess() throws Exception {
        List<String> queries = List.of(
                "SELECT k FROM l WHERE b = X'01FF'",
                "SELECT l.k FROM l JOIN (VALUES (X'01FF'), (X'02')) AS c (x) ON l.b = c.x",
                "SELECT k FROM l WHERE s IN ('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine',"
                        + " 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen')");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ProgramIdTest.class.getName()));
        command.addAll(queries);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> other = process.inputReader()
                .lines()
                .filter(line -> line.matches("[0-9a-f]{16}"))
                .toList();
        assertThat(process.waitFor()).isZero();
        assertThat(queries.stream().map(ProgramIdTest::fingerprint)).containsExactlyElementsOf(other);
        assertThat(fingerprint("SELECT k FROM l WHERE b = X'01FE'")).isNotEqualTo(other.getFirst());
    }

    @Test
    void aUsersFunctionIsKnownByItsCode(@TempDir Path directory) throws Exception {
        String first = withFunction(directory.resolve("first"), "n + 1");
        assertThat(withFunction(directory.resolve("same"), "n + 1")).isEqualTo(first);
        assertThat(withFunction(directory.resolve("other"), "n + 2")).isNotEqualTo(first);
    }

    private static String withFunction(Path directory, String body) throws Exception {
        Path source = Files.createDirectories(directory).resolve("Next.java");
        Files.writeString(source, "public class Next { public static long of(long n) { return " + body + "; } }");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), source.toString()))
                .isZero();
        try (URLClassLoader classes =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            return SqlProgram.compile(
                            "CREATE TABLE t (k BIGINT);"
                                    + " CREATE FUNCTION following (n BIGINT) RETURNS BIGINT AS 'Next.of';"
                                    + " CREATE VIEW o AS SELECT following(k) AS n FROM t;",
                            classes)
                    .plan()
                    .fingerprint();
        }
    }

    private static String fingerprint(String query) {
        return SqlProgram.compile("CREATE TABLE l (k BIGINT, v BIGINT, s VARCHAR"
                        + (query.contains("b =") ? ", b VARBINARY" : "") + ");"
                        + " CREATE TABLE r (k BIGINT, lo BIGINT, hi BIGINT); CREATE VIEW o AS " + query + ";")
                .plan()
                .fingerprint();
    }
}
