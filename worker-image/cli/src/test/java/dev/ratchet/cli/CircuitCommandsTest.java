/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The commands as a shell calls them: files, a jar of functions, what is printed where, exit codes. */
class CircuitCommandsTest {

    private static final String TABLE = "CREATE TABLE t (a BIGINT, s VARCHAR);\n";

    @TempDir
    private Path directory;

    private final StringWriter printed = new StringWriter();
    private final StringWriter complained = new StringWriter();
    private Path in;

    @BeforeEach
    void writeInput() throws IOException {
        in = Files.writeString(directory.resolve("in.jsonl"), """
                {"step":1,"table":"t","weight":1,"row":{"a":20,"s":"x"}}
                {"step":1,"table":"t","weight":1,"row":{"a":null,"s":"y"}}
                """);
    }

    private int circuit(String program, String... arguments) throws IOException {
        Path sql = Files.writeString(directory.resolve("program.sql"), program);
        CommandLine command = RatchetCommand.commandLine();
        command.setOut(new PrintWriter(printed, true));
        command.setErr(new PrintWriter(complained, true));
        List<String> all = new ArrayList<>(List.of("circuit"));
        all.addAll(List.of(arguments));
        all.add("--sql=" + sql);
        if (arguments[0].equals("run") && all.stream().noneMatch(argument -> argument.startsWith("--out="))) {
            all.add("--out=" + directory.resolve("out.jsonl"));
        }
        return command.execute(all.toArray(String[]::new));
    }

    /** A jar with one class, compiled here, that this test's own class path does not have. */
    private Path jar(String className, String source) throws IOException {
        Path file = Files.writeString(directory.resolve(className + ".java"), source);
        int failed =
                ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", directory.toString(), file.toString());
        assertThat(failed).isZero();
        Path jar = directory.resolve("functions.jar");
        try (OutputStream bytes = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(bytes)) {
            entries.putNextEntry(new JarEntry("acme/" + className + ".class"));
            entries.write(Files.readAllBytes(directory.resolve("acme").resolve(className + ".class")));
            entries.closeEntry();
        }
        return jar;
    }

    @Test
    void rowsThatCanNotBeComputedAreCountedOrEndTheRun() throws IOException {
        String program = "CREATE TABLE t (a INT, s VARCHAR); CREATE VIEW v AS SELECT CAST(s AS INT) AS n FROM t;";
        assertThat(circuit(program, "run", "--in=" + in)).isZero();
        Path out = directory.resolve("out.jsonl");
        assertThat(out).content().contains("\"view\":\"errors\"", "'x' is not an integer");
        assertThat(complained)
                .hasToString("ratchet: 2 rows could not be computed and are left out; the view errors in " + out
                        + " says why" + System.lineSeparator());
        assertThat(circuit(program, "run", "--in=" + in, "--on-error=stop")).isEqualTo(2);
        assertThat(complained.toString()).contains("Step 1 can not be computed: 'x' is not an integer", "and 1 other");
        assertThat(out).isEmptyFile();
    }

    @Test
    void functionsComeFromAJar() throws IOException {
        Path jar = jar("Prices", """
                package acme;
                public class Prices {
                    public static long gross(long net) { return net * 119 / 100; }
                    public static String label(String text, long times) {
                        return text.repeat((int) times);
                    }
                }
                """);
        String program = TABLE + """
                CREATE FUNCTION gross(net BIGINT) RETURNS BIGINT LANGUAGE JAVA AS 'acme.Prices.gross';
                CREATE FUNCTION label(text VARCHAR, times INT) RETURNS VARCHAR AS 'acme.Prices.label';
                CREATE VIEW v AS SELECT gross(a) AS g, LABEL(s, 2) AS l FROM t WHERE gross(a) IS NULL OR gross(a) > 10;
                """;
        assertThat(circuit(program, "run", "--in=" + in, "--jar=" + jar)).isZero();
        assertThat(directory.resolve("out.jsonl")).hasContent("""
                {"step":1,"view":"v","weight":1,"row":{"g":null,"l":"yy"}}
                {"step":1,"view":"v","weight":1,"row":{"g":23,"l":"xx"}}
                """);
        assertThat(circuit(program, "explain", "--jar=" + jar)).isZero();
        assertThat(printed.toString()).contains("gross");
    }

    @Test
    void aTableWithAPrimaryKeyTakesUpsertsOnAClusterAlone() throws IOException {
        String program = "CREATE TABLE k (a INT PRIMARY KEY, b INT); CREATE VIEW v AS SELECT * FROM k;"
                + " CREATE TABLE o (a INT PRIMARY KEY) WITH ('upserts' = 'false');"
                + " CREATE TABLE e (a INT PRIMARY KEY) WITH ('append_only' = 'true');"
                + " CREATE VIEW w AS SELECT * FROM o UNION ALL SELECT * FROM e;";
        assertThat(circuit(program, "explain")).isZero();
        assertThat(printed.toString()).doesNotContain("upsert");
        assertThat(circuit(program, "explain", "--cluster")).isZero();
        assertThat(printed.toString().lines().filter(line -> line.contains(" upsert of ")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"svg, <svg", "dot, digraph", "json, stateBytes"})
    void theCircuitIsDrawnWithWhatItDid(String ending, String content) throws IOException {
        Path picture = directory.resolve("circuit." + ending);
        String program = TABLE + "CREATE VIEW v AS SELECT s, SUM(a) AS total FROM t GROUP BY s;";
        assertThat(circuit(program, "run", "--in=" + in, "--picture=" + picture))
                .isZero();
        assertThat(picture).content().contains(content, "aggregate", "rows");
        assertThat(circuit(program, "run", "--in=" + in, "--picture=circuit.png"))
                .isEqualTo(2);
        assertThat(complained.toString()).contains(".svg, .dot or .json");
    }

    @Test
    void stateIsKeptWithinAMemoryAndProgressTellsHowLargeItIs() throws IOException {
        String program = TABLE + "CREATE VIEW v AS SELECT s, SUM(a) AS total FROM t GROUP BY s;";
        Path state = directory.resolve("state");
        assertThat(circuit(program, "run", "--in=" + in, "--state=" + state, "--memory=8", "--progress"))
                .isZero();
        assertThat(complained.toString()).contains("step 1: 2 rows in, 2 rows out", "MB of it in memory", "1 steps");
        assertThat(circuit(program, "run", "--in=" + in, "--state=" + state, "--memory=1"))
                .isEqualTo(2);
        assertThat(complained.toString()).contains("--memory must be at least 4 megabytes, not 1");
        assertThat(circuit(program, "run", "--in=" + in, "--threads=1000")).isEqualTo(2);
        assertThat(complained.toString()).contains("--threads must be from 1 to 256, not 1000");
    }

    @Test
    void anOutputThatCanNotBeWrittenIsNamed() throws IOException {
        String program = TABLE + "CREATE VIEW v AS SELECT a FROM t;";
        Path nowhere = directory.resolve("none").resolve("out.jsonl");
        assertThat(circuit(program, "run", "--in=" + in, "--out=" + nowhere)).isEqualTo(2);
        assertThat(complained.toString()).contains("Can not write " + nowhere + ": its directory is missing");
        assertThat(circuit(program, "run", "--in=" + in, "--out=/dev/full")).isEqualTo(1);
        assertThat(complained.toString()).contains("Can not write /dev/full: No space left on device");
    }

    @Test
    void aFunctionWithoutItsJarIsRefusedByItsPlace() throws IOException {
        String program = TABLE + "CREATE FUNCTION gross(net BIGINT) RETURNS BIGINT AS 'acme.Prices.gross';";
        assertThat(circuit(program, "run", "--in=" + in)).isEqualTo(2);
        assertThat(complained.toString())
                .contains("program.sql line 2, column 17")
                .contains("--jar");
    }

    @Test
    void explainIsAlsoAStatementWhoseAnswerIsPrinted() throws IOException {
        String program = TABLE + """
                CREATE VIEW sums AS SELECT s, SUM(a) AS total FROM t GROUP BY s;
                EXPLAIN SELECT s FROM sums WHERE total > 10;
                """;
        assertThat(circuit(program, "run", "--in=" + in)).isZero();
        assertThat(printed.toString()).contains("LogicalFilter").contains("aggregate of");
        assertThat(directory.resolve("out.jsonl")).content().doesNotContain("EXPLAIN");
        assertThat(circuit(TABLE + "EXPLAIN SELECT b FROM t;", "run", "--in=" + in))
                .isEqualTo(2);
        assertThat(complained.toString()).contains("line 2, column 16: Column 'b' not found");
    }
}
