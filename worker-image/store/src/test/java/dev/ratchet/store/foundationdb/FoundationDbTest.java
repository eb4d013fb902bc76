/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.apple.foundationdb.NetworkOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoundationDbTest {

    @TempDir
    Path directory;

    @Test
    void aClusterFileThatIsNotThereOrNoFileIsNamed() {
        assertRefused(directory.resolve("fdb.cluster"), "is not there");
        assertRefused(directory, "is no file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# only a comment\n",
                "one:one@127.0.0.1:4500\none:one@127.0.0.1:4501",
                "127.0.0.1:4500",
                "one:one@",
                "one:one@127.0.0.1",
                "one:one@127.0.0.1:4500,",
                "one:one@127.0.0.1:70000",
                "one:one@127.0.0.1:4500:ssl",
                "{\"fdb.cluster\": \"one:one@127.0.0.1:4500\"}"
            })
    void aMalformedClusterFileIsRefusedWithTheForm(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("fdb.cluster"), text);
        assertRefused(file, "description:id@host:port");
        assertThat(FoundationDb.silence(new FoundationDbOptions(file, null, null)))
                .contains("description:id@host:port");
    }

    @Test
    void aClusterFileThatIsNotTextOrWithoutEndIsRefused() throws Exception {
        assertRefused(Files.write(directory.resolve("one.cluster"), new byte[] {(byte) 0xff, 0}), "can not be read");
        assertRefused(Files.write(directory.resolve("two.cluster"), new byte[1 << 20]), "1048576 bytes");
    }

    @Test
    void coordinatorsMayBeNamesAddressesOfBothKindsAndWantTls() throws Exception {
        Path file = Files.writeString(
                directory.resolve("fdb.cluster"),
                "# of staging\n x_1:aB3@fdb-0.fdb.svc:4501:tls,10.0.0.2:4500,[::1]:4502:tls(fromHostname)\n");
        assertThat(ClusterFile.read(file).coordinators())
                .extracting(Object::toString)
                .containsExactly("fdb-0.fdb.svc:4501", "10.0.0.2:4500", "[::1]:4502");
    }

    @Test
    void coordinatorsThatRefuseAreTold() throws Exception {
        int refusing;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refusing = taken.getLocalPort();
        }
        Path file = Files.writeString(directory.resolve("fdb.cluster"), "one:one@127.0.0.1:" + refusing);
        assertThat(FoundationDb.silence(new FoundationDbOptions(file, null, null)))
                .contains("127.0.0.1:" + refusing + ": Connection refused")
                .contains("check that they run");
    }

    @Test
    void aLibraryThatIsNoneOrOfAnotherMachineIsRefusedBeforeItIsLoaded() throws Exception {
        Path text = Files.writeString(directory.resolve("text.so"), "Not found: the page that you look for");
        assertThatThrownBy(() -> ClientLibrary.require(text, "amd64"))
                .isInstanceOf(FoundationDbException.class)
                .hasMessageContaining(text + " is not a shared library: it begins with 'Not found")
                .hasMessageContaining("foundationdb-clients");
        byte[] header = Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}, 64);
        header[18] = (byte) 183;
        Path foreign = Files.write(directory.resolve("foreign.so"), header);
        assertThatThrownBy(() -> ClientLibrary.require(foreign, "amd64"))
                .isInstanceOf(FoundationDbException.class)
                .hasMessageContaining(foreign + " is made for aarch64, and this process runs on amd64")
                .hasMessageContaining("for this architecture");
        ClientLibrary.require(foreign, "aarch64");
        assertThatThrownBy(() -> ClientLibrary.require(directory.resolve("absent.so"), "amd64"))
                .hasMessageContaining("absent.so");
    }

    private static void assertRefused(Path clusterFile, String why) {
        assertThatThrownBy(() -> FoundationDb.open(new FoundationDbOptions(clusterFile, null, null), Runnable::run))
                .isInstanceOf(FoundationDbException.class)
                .hasMessageContaining(clusterFile.toString())
                .hasMessageContaining(why);
    }

    @Test
    void aMissingLibraryIsExplainedEachTimeAndBreaksNothingElse() throws Exception {
        assumeFalse(libraryIsThere(), "libfdb_c.so is installed here, so that it is missing can not be tried");
        Path file = Files.writeString(directory.resolve("fdb.cluster"), "test:test@127.0.0.1:4500\n");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> FoundationDb.open(new FoundationDbOptions(file, null, null), Runnable::run))
                    .isInstanceOf(FoundationDbException.class)
                    .hasMessageContaining("libfdb_c.so")
                    .hasMessageContaining("foundationdb-clients")
                    .hasMessageContaining("init container");
        }
    }

    /** Codes of FoundationDB's fdb.options: 43 certificate, 46 key, 53 authorities, 63 further libraries. */
    @Test
    void tlsFilesAndFurtherLibrariesAreNamedToTheLibraryBeforeItsNetworkStarts() {
        Map<Integer, String> told = new TreeMap<>();
        NetworkOptions network =
                new NetworkOptions((code, value) -> told.put(code, new String(value, StandardCharsets.UTF_8)));
        FoundationDb.configure(network, new FoundationDbOptions(Path.of("fdb.cluster"), null, null));
        assertThat(told).isEmpty();
        FoundationDb.configure(
                network, new FoundationDbOptions(Path.of("fdb.cluster"), Path.of("/tls"), Path.of("/libraries")));
        assertThat(told).isEqualTo(Map.of(43, "/tls/tls.crt", 46, "/tls/tls.key", 53, "/tls/ca.crt", 63, "/libraries"));
    }

    private static boolean libraryIsThere() {
        return Files.exists(Path.of("/usr/lib/libfdb_c.so")) || System.getProperty("FDB_LIBRARY_PATH_FDB_C") != null;
    }
}
