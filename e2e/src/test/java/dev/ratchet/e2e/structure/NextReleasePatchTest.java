/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.VersionRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The patch that makes the next release of this tree, see {@code e2e/releases/build}: it fits the tree, and changes
 * each format that two releases share.
 */
class NextReleasePatchTest {

    private static final Path PATCH = Checkout.ROOT.resolve("e2e/next-release.patch");

    private static final String NUMBERS = "= new FormatNumbers(";

    /** A format that two releases share, and a line that the patch adds where it is declared. */
    record Change(String format, String file, String line) {}

    static Stream<Change> changes() {
        int next = VersionRange.FORMATS.newest() + 1;
        return Stream.of(
                new Change("levels of formats", "VersionRange.java", "FORMATS = new VersionRange(1, " + next + ")"),
                new Change(
                        "levels of releases", "VersionRange.java", "\"" + nextRelease() + "\", new VersionRange(1, "),
                new Change("all records", "Values.java", "return new MessageCodec<>(2, " + next + ", parser);"),
                new Change("messages between workers", "VersionRange.java", "PROTOCOLS = new VersionRange(1, 2)"),
                new Change("messages of clients", "VersionRange.java", "GATEWAYS = new VersionRange(1, 2)"),
                new Change("messages of the store", "StoreProtocol.java", "int VERSION = 2;"),
                new Change("log of the store", "LogRecord.java", "out.putByte(FORM_2);"),
                new Change("pages of the store", "PagedTrees.java", "page = PageCodec.inForm(page, level);"),
                new Change("roots of the store", "RootFile.java", "out.putByte(level < " + next + " ? KIND : FORM_2);"),
                new Change("backups of the store", "SnapshotFile.java", "int FORMAT = 2;"),
                new Change("files of objects", "ObjectFileName.java", "(level < " + next + " ? \"\" : \"_2\")"));
    }

    /** Where a format says by itself which of its numbers are read, and since which level the newest is written. */
    static List<Path> numberedFormats() throws IOException {
        try (Stream<Path> files = Files.walk(Checkout.ROOT.resolve("worker-image"))) {
            return files.filter(file -> file.toString().matches(".*/src/main/java/.*\\.java"))
                    .filter(file -> Checkout.read(file).contains(NUMBERS))
                    .toList();
        }
    }

    @Test
    void itFitsTheTree() {
        Assumptions.assumeTrue(
                Files.exists(Checkout.ROOT.resolve(".git")), "skipped: this tree is no repository of git's");
        Assumptions.assumeTrue(isThereGit(), "skipped: there is no git on the path");
        Command check = Command.run(
                Map.of(), "", List.of("git", "-C", Checkout.ROOT.toString(), "apply", "--check", PATCH.toString()));
        assertThat(check.exitCode())
                .as(
                        "make the patch anew: git apply --3way %s, mend, git diff -U1 > it, git checkout; it says %s",
                        PATCH, check.output())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void itChangesEachFormatThatTwoReleasesShare(Change change) {
        assertThat(addedTo(change.file()))
                .as("lines that the patch adds to %s, for the %s", change.file(), change.format())
                .anyMatch(line -> line.contains(change.line()));
    }

    @ParameterizedTest
    @MethodSource("numberedFormats")
    void itChangesEachFormatThatHasNumbers(Path file) {
        int next = VersionRange.FORMATS.newest() + 1;
        long formats = Checkout.read(file)
                .lines()
                .filter(line -> line.contains(NUMBERS))
                .count();
        assertThat(addedTo(file.getFileName().toString()))
                .as("formats that the patch changes, since level %d", next)
                .filteredOn(line -> line.contains(NUMBERS) && line.endsWith(", " + next + ");"))
                .hasSize((int) formats);
    }

    private static List<String> addedTo(String file) {
        return Stream.of(Checkout.read(PATCH).split("(?m)^diff --git ", -1))
                .filter(part -> part.lines().findFirst().orElse("").endsWith("/" + file))
                .flatMap(String::lines)
                .filter(line -> line.startsWith("+"))
                .toList();
    }

    private static String nextRelease() {
        String[] numbers = Release.VERSION.split("\\.", -1);
        return numbers[0] + "." + (Integer.parseInt(numbers[1]) + 1);
    }

    private static boolean isThereGit() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "git")));
    }
}
