/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that docs/futures.md names for what may go wrong are there. */
class FailureTableTest {

    private static final Path DOCUMENT = Path.of("../../docs/futures.md");
    private static final Pattern NAMED = Pattern.compile("`([A-Z][A-Za-z]+Test)\\.([a-z][A-Za-z0-9]+)`");
    private static final Pattern DECLARED = Pattern.compile("void ([a-z][A-Za-z0-9]+)\\(");

    @Test
    void eachTestThatTheTableNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        Map<String, List<String>> tests = tests();
        Matcher matcher = NAMED.matcher(Files.readString(DOCUMENT));
        while (matcher.find()) {
            named++;
            if (!tests.getOrDefault(matcher.group(1), List.of()).contains(matcher.group(2))) {
                missing.add(matcher.group());
            }
        }
        assertThat(missing)
                .as("tests that %s names and that are not there", DOCUMENT)
                .isEmpty();
        assertThat(named).as("tests that it names").isGreaterThan(30);
    }

    private static Map<String, List<String>> tests() throws IOException {
        Map<String, List<String>> tests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                Matcher method = DECLARED.matcher(Files.readString(file));
                while (method.find()) {
                    tests.computeIfAbsent(name, unused -> new ArrayList<>()).add(method.group(1));
                }
            }
        }
        return tests;
    }
}
