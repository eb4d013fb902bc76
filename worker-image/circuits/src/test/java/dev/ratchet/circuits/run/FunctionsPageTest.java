/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.circuits.sql.RecordedPlans;
import dev.ratchet.circuits.sql.SqlProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of functions says what is true: every example answers as it says, and no standard function is passed over.
 */
class FunctionsPageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "functions.md");

    private static final Pattern BLOCK = Pattern.compile("```(sql|json)\n(.*?)```", Pattern.DOTALL);

    private static final Pattern ROW = Pattern.compile("^\\| (.+?) \\| `(.+?)` \\| `(.*?)` \\|$", Pattern.MULTILINE);

    private static final Pattern OUTPUT = Pattern.compile("\"view\":\"v(\\d+)\",\"weight\":1,\"row\":\\{\"x\":(.*)}}$");

    /** Other ways to write what the page shows, and what is no function of rows: windows, rows of a pattern. */
    private static final Set<String> ELSEWHERE = Set.of(
            "ROW_NUMBER",
            "RANK",
            "DENSE_RANK",
            "PERCENT_RANK",
            "CUME_DIST",
            "NTILE",
            "LAG",
            "LEAD",
            "FIRST_VALUE",
            "LAST_VALUE",
            "NTH_VALUE",
            "TUMBLE",
            "HOP",
            "SESSION",
            "DESCRIPTOR",
            "TUMBLE_START",
            "TUMBLE_END",
            "CEIL",
            "FLOOR",
            "JSON_ARRAYAGG_ABSENT_ON_NULL",
            "JSON_OBJECTAGG_NULL_ON_NULL",
            "GROUPING_ID",
            "GROUP_ID",
            "SINGLE_VALUE");

    @TempDir
    private Path directory;

    private record Example(String name, String query, String result) {}

    private static List<Example> examples(String page) {
        List<Example> examples = new ArrayList<>();
        Matcher row = ROW.matcher(page);
        int aggregates = page.indexOf("## Aggregates");
        while (row.find()) {
            String source = row.start() > aggregates ? " AS x FROM u" : " AS x FROM t";
            String grouped = row.group(1).contains("GROUPING") ? " GROUP BY i HAVING i = 3" : "";
            String query = "SELECT " + row.group(2).replace("\\|", "|") + source + grouped;
            examples.add(new Example(row.group(1), query, row.group(3).replace("\\|", "|")));
        }
        return examples;
    }

    @Test
    void everyExampleAnswersAsThePageSays() throws IOException {
        String page = Files.readString(PAGE);
        Map<String, String> blocks = new HashMap<>();
        BLOCK.matcher(page).results().forEach(block -> blocks.put(block.group(1), block.group(2)));
        List<Example> examples = examples(page);
        StringBuilder program = new StringBuilder(String.valueOf(blocks.get("sql")));
        for (int i = 0; i < examples.size(); i++) {
            program.append("CREATE VIEW v" + i + " AS " + examples.get(i).query() + ";\n");
        }
        RecordedPlans.throughBytes(SqlProgram.compile(program.toString()));
        Path sql = Files.writeString(directory.resolve("program.sql"), program);
        Path in = Files.writeString(directory.resolve("in.jsonl"), String.valueOf(blocks.get("json")));
        Path out = directory.resolve("out.jsonl");
        new CircuitRun(new RunOptions(sql, in, out, 1, null, Map.of(), List.of()), (step, rowsIn, rowsOut) -> {}).run();
        List<String> answers = new ArrayList<>(examples.stream().map(x -> "").toList());
        for (String line : Files.readAllLines(out)) {
            Matcher answer = OUTPUT.matcher(line);
            assertThat(answer.find()).as(line).isTrue();
            answers.set(Integer.parseInt(answer.group(1)), answer.group(2));
        }
        for (int i = 0; i < examples.size(); i++) {
            assertThat(answers.get(i))
                    .as(examples.get(i).query())
                    .isEqualTo(examples.get(i).result());
        }
        assertThat(examples).hasSizeGreaterThan(150);
    }

    @Test
    void everyFunctionOfTheStandardIsShownOrSaidToBeMissing() throws IOException {
        String page = Files.readString(PAGE);
        Set<String> named = new TreeSet<>(ELSEWHERE);
        examples(page)
                .forEach(example ->
                        named.addAll(List.of(example.name().replace("`", "").split("[, ]+"))));
        String missing = page.substring(page.indexOf("## Missing"));
        Pattern.compile("`(\\w+)`").matcher(missing).results().forEach(name -> named.add(name.group(1)));
        Set<String> standard = new TreeSet<>();
        for (SqlOperator operator : SqlStdOperatorTable.instance().getOperatorList()) {
            boolean isFunction = operator.getSyntax() == SqlSyntax.FUNCTION
                    || operator.getSyntax() == SqlSyntax.FUNCTION_STAR
                    || operator.getSyntax() == SqlSyntax.FUNCTION_ID;
            if (isFunction && !operator.getName().startsWith("$")) {
                standard.add(operator.getName().toUpperCase(Locale.ROOT));
            }
        }
        standard.removeAll(named);
        assertThat(standard).isEmpty();
    }
}
