/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.apple.foundationdb.Database;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What FoundationDB's client library is told, from the Java binding down to its C functions: a library that notes its
 * calls takes its place, in a process of its own, because a process loads one for good.
 */
class ClientLibraryTest {

    private static final Path SOURCE = Path.of("src/test/c/fake_fdb_c.c");

    @TempDir
    Path directory;

    /** The process: opens databases of the cluster files that are its arguments, and one with other settings. */
    public static void main(String[] clusterFiles) {
        for (String file : clusterFiles) {
            Database database = FoundationDb.open(options(file, "/tls"), Runnable::run);
            database.close();
        }
        try {
            FoundationDb.open(options(clusterFiles[0], "/other"), Runnable::run);
        } catch (FoundationDbException refused) {
            System.out.println(refused.getMessage());
        }
    }

    private static FoundationDbOptions options(String clusterFile, String tls) {
        return new FoundationDbOptions(Path.of(clusterFile), Path.of(tls), Path.of("/libraries"));
    }

    private static String run(Path notes, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FAKE_FDB_NOTES", notes.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void allDatabasesOfAProcessShareOneNetworkWithTheOptionsOfTheFirst() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/cc")),
                "no C compiler in /usr/bin/cc: what FoundationDB's client library is told is not tested");
        Path library = directory.resolve("libfdb_c.so");
        Path notes = directory.resolve("notes");
        run(
                notes,
                "cc",
                "-shared",
                "-fPIC",
                "-pthread",
                "-Wl,-soname,libfdb_c.so",
                "-o",
                library.toString(),
                SOURCE.toString());
        Path one = Files.writeString(directory.resolve("one.cluster"), "one:one@127.0.0.1:4500\n");
        Path two = Files.writeString(directory.resolve("two.cluster"), "two:two@127.0.0.1:4501\n");
        String said = run(
                notes,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-DFDB_LIBRARY_PATH_FDB_C=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                ClientLibraryTest.class.getName(),
                one.toString(),
                two.toString());
        assertThat(said).contains("One process has one FoundationDB client").contains("/other");
        List<String> told = Files.readAllLines(notes);
        assertThat(told)
                .filteredOn(line -> !line.equals("network runs") && !line.startsWith("database option"))
                .containsExactly(
                        "api 730",
                        "network option 63 /libraries",
                        "network option 43 /tls/tls.crt",
                        "network option 46 /tls/tls.key",
                        "network option 53 /tls/ca.crt",
                        "network set up",
                        "database " + one,
                        "database closed",
                        "database " + two,
                        "database closed",
                        "network stops");
        assertThat(told).containsOnlyOnce("network runs");
    }
}
