/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker says of a FoundationDB that it can not use, as its pod's container state then tells. */
class FoundationDbWorkerTest {

    private static final Path SOURCE = Path.of("../store/src/test/c/fake_fdb_c.c");

    @TempDir
    Path directory;

    private Path lastWords;

    private ProcessBuilder worker(TestCluster cluster, String clusterFile) throws Exception {
        cluster.useFoundationDb(Files.writeString(directory.resolve("fdb.cluster"), clusterFile));
        lastWords = Files.writeString(directory.resolve("termination-log"), "");
        ProcessBuilder worker = cluster.worker(0);
        worker.environment().put("RATCHET_TERMINATION_LOG", lastWords.toString());
        return worker;
    }

    @Test
    void aMalformedClusterFileIsNamed() throws Exception {
        try (TestCluster cluster = new TestCluster(directory)) {
            Process process = cluster.start(worker(cluster, "127.0.0.1:4500"));
            assertThat(TestCluster.exitCode(process)).isEqualTo(2);
            assertThat(Files.readString(lastWords))
                    .startsWith("The FoundationDB cluster file " + directory)
                    .contains("description:id@host:port");
            assertThat(Files.readString(cluster.log(0))).contains("can not run as it is configured: The FoundationDB");
        }
    }

    /** A library that gives no answer takes the place of FoundationDB's. */
    @Test
    void coordinatorsThatRefuseAreNamedAtTheEndOfTheFirstProcess() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/cc")),
                "no C compiler in /usr/bin/cc: a FoundationDB that does not answer is not tried");
        Path library = directory.resolve("libfdb_c.so");
        Process compiler = new ProcessBuilder(
                        "cc",
                        "-shared",
                        "-fPIC",
                        "-pthread",
                        "-Wl,-soname,libfdb_c.so",
                        "-o",
                        library.toString(),
                        SOURCE.toString())
                .inheritIO()
                .start();
        assertThat(TestCluster.exitCode(compiler)).isZero();
        try (TestCluster cluster = new TestCluster(directory);
                Socket taken = new Socket()) {
            // Nobody else gets it, and nobody listens there.
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int refusing = taken.getLocalPort();
            ProcessBuilder builder = worker(cluster, "one:one@127.0.0.1:" + refusing);
            builder.command().add(1, "-DFDB_LIBRARY_PATH_FDB_C=" + library);
            builder.environment()
                    .put("FAKE_FDB_NOTES", directory.resolve("notes").toString());
            assertThat(TestCluster.exitCode(cluster.start(builder)))
                    .as("exit code")
                    .isEqualTo(6);
            assertThat(Files.readString(lastWords))
                    .startsWith("FoundationDB does not answer")
                    .contains("127.0.0.1:" + refusing + ": Connection refused");
            assertThat(Files.readString(cluster.log(0))).contains("trying again: FoundationDB does not answer");
        }
    }
}
