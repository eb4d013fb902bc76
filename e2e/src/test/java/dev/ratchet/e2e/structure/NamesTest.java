/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Classes have names of their own, those of the glossary, and ARCHITECTURE.md leads to the classes that work passes
 * through.
 */
class NamesTest {

    /** Names of classes that the field's standard terms have replaced, see docs/glossary.md. */
    private static final Set<String> REPLACED = Set.of(
            "Express",
            "Early",
            "EarlyValues",
            "EarlyCalls",
            "EarlyAttempts",
            "EarlyRun",
            "Settler",
            "Treatment",
            "Treatments",
            "Holds",
            "Unbroken",
            "Patience",
            "Elsewhere",
            "Places",
            "Impossible",
            "Moving",
            "Tally",
            "Overseer",
            "Story",
            "Telling",
            "Happening",
            "Mishap",
            "StatementFeed",
            "Reign",
            "Visit",
            "Reception",
            "RecentRows",
            "Lane",
            "Puts",
            "LooseRows",
            "LooseCursor",
            "WorkerStatement",
            "SlotStatement",
            "Disposal");

    /** Files that describe their package or module. */
    private static final Set<String> OF_EACH_PACKAGE = Set.of("package-info", "module-info");

    private static final int PATHS = 8;
    private static final int CLASSES = 8;
    private static final Pattern PATH = Pattern.compile("(?m)^- \\*\\*(One [^*]+)\\*\\*: (.+)$");
    /** A type, wherever it is declared; one inside of another one, too. */
    private static final Pattern DECLARED = Pattern.compile("(?m)^[ a-z]*\\b(?:class|record|enum|interface) (\\w+)");

    private static final Pattern QUOTED = Pattern.compile("`(\\w+)[`.]");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)\\]\\(([^)]+)\\)");

    @Test
    void noTypeHasANameThatAStandardTermHasReplaced() {
        assertThat(replaced(".java", DECLARED))
                .as("types to be named as in docs/glossary.md")
                .isEmpty();
    }

    @Test
    void noDocumentSpeaksOfATypeByTheNameThatWasReplaced() {
        assertThat(replaced(".md", QUOTED)).isEmpty();
    }

    @Test
    void oneSimpleNameIsOneClass() {
        Map<String, List<String>> byName = new TreeMap<>();
        for (Path file : Checkout.files(".java")) {
            String path = Checkout.ROOT.relativize(file).toString();
            if (path.contains("src/main/java/") && !OF_EACH_PACKAGE.contains(fileName(file))) {
                byName.computeIfAbsent(fileName(file), name -> new ArrayList<>())
                        .add(path);
            }
        }
        byName.values().removeIf(files -> files.size() == 1);
        assertThat(byName)
                .as("classes of one name: a type inside of another one is called by both names, all others by one")
                .isEmpty();
    }

    @Test
    void eachPathThroughTheCodeNamesEightClassesThatAreThere() {
        Path root = Checkout.ROOT;
        Matcher paths = PATH.matcher(Checkout.read(root.resolve("ARCHITECTURE.md")));
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        while (paths.find()) {
            seen++;
            Matcher links = LINK.matcher(paths.group(2));
            int classes = 0;
            while (links.find()) {
                classes++;
                Path target = root.resolve(links.group(2));
                if (!Files.exists(target) || !target.endsWith(links.group(1) + ".java")) {
                    wrong.add(paths.group(1) + ": " + links.group());
                }
            }
            if (classes != CLASSES) {
                wrong.add(paths.group(1) + ": " + classes + " classes");
            }
        }
        assertThat(seen).as("paths through the code in ARCHITECTURE.md").isEqualTo(PATHS);
        assertThat(wrong).isEmpty();
    }

    /** Where the first group of a pattern is a name that was replaced. */
    private static List<String> replaced(String suffix, Pattern name) {
        List<String> found = new ArrayList<>();
        int seen = 0;
        for (Path file : Checkout.files(suffix)) {
            Matcher matcher = name.matcher(Checkout.read(file));
            while (matcher.find()) {
                seen++;
                if (REPLACED.contains(matcher.group(1))) {
                    found.add(Checkout.ROOT.relativize(file) + ": " + matcher.group(1));
                }
            }
        }
        assertThat(seen).as("names in files %s", suffix).isPositive();
        return found;
    }

    private static String fileName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }
}
