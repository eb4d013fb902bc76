/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a tidy tree is: small files, short methods, nothing unfinished, documents whose links lead somewhere. */
class TidyTest {

    private static final int FILE_LINES_MAX = 600;
    private static final int METHOD_LINES_MAX = 70;
    private static final int COLUMNS_MAX = 120;
    private static final int PARAMETERS_MAX = 11;

    /** Spelled apart so that this file does not find itself. */
    private static final Pattern UNFINISHED =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b|@Dis" + "abled\\b|not yet imple" + "mented");

    private static final Pattern NAMED_TEST = Pattern.compile("`([A-Z][A-Za-z]+Test)\\.([a-z][A-Za-z0-9]+)`");
    private static final int NAMED_TESTS_MIN = 80;

    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>", Pattern.DOTALL);

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\n]*)(?:#([^)\\s]*))?\\)");

    @Test
    void noFileIsLongerThanItsReaderHasPatienceFor() {
        List<String> tooLong = new ArrayList<>();
        for (Path file : Checkout.files(".java")) {
            long lines = Checkout.read(file).lines().count();
            if (lines > FILE_LINES_MAX) {
                tooLong.add(name(file) + ": " + lines + " lines");
            }
        }
        assertThat(tooLong).as("files over %d lines", FILE_LINES_MAX).isEmpty();
    }

    @Test
    void noLineRunsOverTheRight() {
        List<String> tooWide = new ArrayList<>();
        for (Path file : Checkout.files(".java")) {
            List<String> lines = Checkout.read(file).lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).length() > COLUMNS_MAX) {
                    tooWide.add(name(file) + ":" + (i + 1));
                }
            }
        }
        assertThat(tooWide).as("lines over %d columns", COLUMNS_MAX).isEmpty();
    }

    @Test
    void noMethodIsLongerThanAScreenOrTakesMoreThanAFewRoles() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> tooLong = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources()));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new MethodLengths(unit, positions, tooLong).scan(unit, null);
            }
        }
        assertThat(tooLong)
                .as("methods over %d lines, or %d parameters", METHOD_LINES_MAX, PARAMETERS_MAX)
                .isEmpty();
    }

    @Test
    void everyTestThatADocumentNamesExists() {
        Map<String, String> tests = new HashMap<>();
        for (Path file : Checkout.files("Test.java")) {
            tests.merge(file.getFileName().toString().replace(".java", ""), Checkout.read(file), String::concat);
        }
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path document : Checkout.files(".md")) {
            Matcher matcher = NAMED_TEST.matcher(Checkout.read(document));
            while (matcher.find()) {
                named++;
                String declared = "void " + matcher.group(2) + "(";
                if (!tests.getOrDefault(matcher.group(1), "").contains(declared)) {
                    missing.add(name(document) + ": " + matcher.group());
                }
            }
        }
        assertThat(missing).as("tests that are named and not there").isEmpty();
        assertThat(named).as("tests that documents name").isGreaterThan(NAMED_TESTS_MIN);
    }

    @Test
    void nothingIsUnfinished() {
        List<String> found = new ArrayList<>();
        for (Path file : Checkout.files(".java")) {
            Matcher matcher = UNFINISHED.matcher(Checkout.read(file));
            while (matcher.find()) {
                found.add(name(file) + ": " + matcher.group());
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyPackageSaysWhatItOwns() {
        List<String> missing = new ArrayList<>();
        for (Path file : sources()) {
            Path description = file.resolveSibling("package-info.java");
            if (file.toString().contains("/src/main/java/") && !Files.exists(description)) {
                missing.add(name(file.getParent()));
            }
        }
        assertThat(missing.stream().distinct())
                .as("packages without package-info.java")
                .isEmpty();
    }

    @Test
    void theLinksInTheDocumentsLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path file : Checkout.files(".md")) {
            Matcher matcher = LINK.matcher(Checkout.read(file));
            while (matcher.find()) {
                String target = matcher.group(1);
                Path linked = target.isEmpty() ? file : file.resolveSibling(target);
                if (!target.contains("://") && !leadsSomewhere(linked, matcher.group(2))) {
                    broken.add(name(file) + ": " + matcher.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Path linked, @Nullable String section) {
        if (section == null || !linked.toString().endsWith(".md")) {
            return Files.exists(linked);
        }
        return Files.exists(linked) && sections(linked).contains(section);
    }

    /** The headings of a document as links name them. */
    private static Set<String> sections(Path document) {
        return Checkout.read(document)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ +", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^\\w -]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void baseImagesAreNamedByDigest() {
        List<String> bases = Checkout.read(Checkout.ROOT.resolve("images/bases"))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(bases).hasSize(2).allMatch(line -> line.matches("(JDK|BASE)=[^@ ]+:[^@ ]+@sha256:[0-9a-f]{64}"));
    }

    @Test
    void everyLibraryOfAModuleHasItsReason() {
        String reasons = Checkout.read(Checkout.ROOT.resolve("docs/dependencies.md"));
        List<String> missing = new ArrayList<>();
        List<Path> poms = new ArrayList<>(Checkout.modules().values());
        poms.add(Checkout.ROOT);
        for (Path module : poms) {
            String pom = Checkout.read(module.resolve("pom.xml"))
                    .replaceAll("(?s)<dependencyManagement>.*</dependencyManagement>", "");
            Matcher matcher = DEPENDENCY.matcher(pom);
            while (matcher.find()) {
                String artifact = matcher.group(2);
                boolean isOurs = matcher.group(1).equals("dev.ratchet");
                if (!isOurs && !reasons.contains(":" + artifact + "`") && !reasons.contains("`" + artifact + "`")) {
                    missing.add(name(module.resolve("pom.xml")) + ": " + artifact);
                }
            }
        }
        assertThat(missing)
                .as("libraries without a line in docs/dependencies.md")
                .isEmpty();
    }

    private static List<Path> sources() {
        return Checkout.files(".java");
    }

    private static String name(Path file) {
        return Checkout.ROOT.relativize(file).toString();
    }

    private static final class MethodLengths extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> tooLong;
        private boolean isInRecord;

        MethodLengths(CompilationUnitTree unit, SourcePositions positions, List<String> tooLong) {
            this.unit = unit;
            this.positions = positions;
            this.tooLong = tooLong;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
            boolean around = isInRecord;
            isInRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, null);
            isInRecord = around;
            return null;
        }

        /** The parameters of a record's constructor are its components, which are data. */
        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, method));
            long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, method));
            if (last - first + 1 > METHOD_LINES_MAX) {
                tooLong.add(name(Path.of(unit.getSourceFile().toUri())) + ":" + first + " " + method.getName() + ", "
                        + (last - first + 1) + " lines");
            }
            boolean isOfData = isInRecord && method.getName().contentEquals("<init>");
            if (!isOfData && method.getParameters().size() > PARAMETERS_MAX) {
                tooLong.add(name(Path.of(unit.getSourceFile().toUri())) + ":" + first + " " + method.getName() + ", "
                        + method.getParameters().size() + " parameters");
            }
            return super.visitMethod(method, null);
        }
    }
}
