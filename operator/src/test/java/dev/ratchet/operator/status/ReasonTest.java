/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The words of conditions are contract: of the form that Kubernetes asks for, and each explained to operators. */
class ReasonTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");

    @Test
    void eachReasonIsOneWordInCamelCaseAndNoWordHasTwoMeanings() {
        assertThat(words()).allMatch(word -> word.matches("[A-Z][A-Za-z0-9]*")).doesNotHaveDuplicates();
    }

    @Test
    void eachReasonIsExplained() throws IOException {
        assertThat(words()).isSubsetOf(explained());
    }

    @Test
    void eachConditionIsExplained() throws IOException, IllegalAccessException {
        List<String> types = new ArrayList<>();
        for (Field field : ConditionType.class.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                types.add((String) field.get(null));
            }
        }
        assertThat(types).contains(ConditionType.READY).isSubsetOf(explained());
    }

    private static List<String> words() {
        return Arrays.stream(Reason.values()).map(Reason::word).toList();
    }

    /** What stands in the first column of a table, between backquotes. */
    private static List<String> explained() throws IOException {
        List<String> found = new ArrayList<>();
        for (String page : List.of("operations.md", "upgrades.md")) {
            for (String line : Files.readAllLines(DOCS.resolve(page))) {
                String[] cells = line.split("\\|", 3);
                if (cells.length == 3) {
                    QUOTED.matcher(cells[1]).results().forEach(match -> found.add(match.group(1)));
                }
            }
        }
        return found;
    }
}
