/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /**
     * The process. With the word "await" and a cluster file it waits for an answer; else it opens databases of the
     * cluster files that are its arguments, and one with other settings.
     */
    public static void main(String[] arguments) {
        try {
            if (arguments[0].equals("await")) {
                FoundationDbOptions options = new FoundationDbOptions(Path.of(arguments[1]), null, null);
                FoundationDb.awaitAnswer(FoundationDb.open(options, Runnable::run), options, 200);
            }
            for (String file : arguments) {
                FoundationDb.open(options(file, "/tls"), Runnable::run).close();
            }
            FoundationDb.open(options(arguments[0], "/other"), Runnable::run);
        } catch (FoundationDbException refused) {
            System.out.println(refused.getMessage());
        }
    }

    private static FoundationDbOptions options(String clusterFile, String tls) {
        return new FoundationDbOptions(Path.of(clusterFile), Path.of(tls), Path.of("/libraries"));
    }

    private static String run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** Runs {@link #main} with a library of an API version in the place of FoundationDB's. */
    private String onLibrary(int apiVersion, String... arguments) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/cc")),
                "no C compiler in /usr/bin/cc: what FoundationDB's client library is told is not tested");
        Path library = directory.resolve("libfdb_c.so");
        run(
                Map.of(),
                "cc",
                "-shared",
                "-fPIC",
                "-pthread",
                "-Wl,-soname,libfdb_c.so",
                "-o",
                library.toString(),
                SOURCE.toString());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-DFDB_LIBRARY_PATH_FDB_C=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                ClientLibraryTest.class.getName()));
        command.addAll(List.of(arguments));
        return run(
                Map.of("FAKE_FDB_NOTES", notes().toString(), "FAKE_FDB_API", Integer.toString(apiVersion)),
                command.toArray(String[]::new));
    }

    private Path notes() {
        return directory.resolve("notes");
    }

    @Test
    void allDatabasesOfAProcessShareOneNetworkWithTheOptionsOfTheFirst() throws Exception {
        Path one = Files.writeString(directory.resolve("one.cluster"), "one:one@127.0.0.1:4500\n");
        Path two = Files.writeString(directory.resolve("two.cluster"), "two:two@127.0.0.1:4501\n");
        String said = onLibrary(730, one.toString(), two.toString());
        assertThat(said).contains("One process has one FoundationDB client").contains("/other");
        List<String> told = Files.readAllLines(notes());
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

    @Test
    void aLibraryOfAnEarlierReleaseIsRefusedAndAReleaseThatFitsIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("fdb.cluster"), "one:one@127.0.0.1:4500\n");
        assertThat(onLibrary(710, file.toString()))
                .contains("libfdb_c.so can not be loaded (it is older than 7.3")
                .contains("foundationdb-clients 7.3 or later");
    }

    @Test
    void aClusterThatTakesConnectionsAndSaysNothingIsTold() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(
                    directory.resolve("fdb.cluster"), "one:one@127.0.0.1:" + silent.getLocalPort() + "\n");
            assertThat(onLibrary(740, "await", file.toString()))
                    .contains("FoundationDB does not answer, although coordinators of " + file)
                    .contains("minor version")
                    .contains("(waited 200 ms)");
            assertThat(Files.readAllLines(notes())).contains("read version asked for");
        }
    }
}
