/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.builder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The page of circuits names for every law the test that holds it, and there is such a test. */
class LawTableTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "circuits.md");

    private static final Pattern ROW =
            Pattern.compile("^\\| (L\\d+) \\| .+ \\| `(\\w+\\.\\w+)\\.(\\w+)` \\|$", Pattern.MULTILINE);

    @Test
    void everyLawHasATestOfItsName() throws Exception {
        Map<String, String> tests = new HashMap<>();
        Matcher row = ROW.matcher(Files.readString(PAGE));
        while (row.find()) {
            tests.put(row.group(1), row.group(2) + "." + row.group(3));
            assertThat(isTest(row.group(2), row.group(3))).as(row.group()).isTrue();
        }
        for (int law = 1; law <= 30; law++) {
            String name = "L" + law;
            assertThat(tests.containsKey(name)).as(name).isTrue();
        }
    }

    private static boolean isTest(String className, String method) throws IOException, ClassNotFoundException {
        List<Method> methods =
                Arrays.asList(Class.forName("dev.ratchet.circuits." + className).getDeclaredMethods());
        return methods.stream()
                .filter(found -> found.getName().equals(method))
                .anyMatch(found ->
                        found.isAnnotationPresent(Test.class) || found.isAnnotationPresent(ParameterizedTest.class));
    }
}
