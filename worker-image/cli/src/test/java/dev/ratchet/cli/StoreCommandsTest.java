/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.release.Release;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TokenSecurity;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.server.StoreServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that work on a whole store, against a server with a token on loopback. */
@Timeout(60)
class StoreCommandsTest {

    private static final String OWNER = "team-a/orders";
    private static final Keyspace KEYSPACE = new Keyspace(OWNER);

    @TempDir
    Path directory;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final SystemEnvironment environment = new SystemEnvironment();
    private EmbeddedStore store;
    private StoreServer server;
    private Path token;
    private Path data;
    private String said = "";

    @BeforeEach
    void start() throws Exception {
        data = directory.resolve("data");
        token = Files.writeString(directory.resolve("token"), "a token of sixteen characters");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        store = EmbeddedStore.open(EmbeddedOptions.in(data), environment);
        Identity self = new Identity("team-a", "orders", Kind.STORE, "orders-store-0");
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = StoreServer.start(
                new StoreServer.Settings(anywhere, anywhere, "team-a", "orders", "0.1.0"),
                store.served(),
                TokenSecurity.fromFile(token, self),
                environment);
        Files.writeString(directory.resolve("cluster.json"), """
                {"cluster":"orders","namespace":"team-a",
                 "store":{"type":"Embedded","address":"127.0.0.1:%d","subspace":"team-a/orders"}}
                """.formatted(server.sessionPort()));
        record(store);
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
        environment.close();
    }

    private StoreRecord record(EmbeddedStore of) {
        return record(of, ReleaseFormats.OWN);
    }

    private StoreRecord record(EmbeddedStore of, ReleaseFormats release) {
        try (Database database = of.database()) {
            return database.runAsync(transaction ->
                            StoreRecord.openOrCreate(transaction, KEYSPACE, OWNER, release, environment.random()))
                    .join();
        }
    }

    private int ratchet(String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text, true);
        int exit = RatchetCommand.commandLine().setOut(out).setErr(out).execute(arguments);
        said = text.toString();
        return exit;
    }

    private int onCluster(String... arguments) {
        String[] all = new String[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--config-dir";
        all[arguments.length + 1] = directory.toString();
        all[arguments.length + 2] = "--token-file";
        all[arguments.length + 3] = token.toString();
        return ratchet(all);
    }

    @Test
    void aFoundationDbThatCanNotBeUsedIsTheCallersToPutRight() throws Exception {
        Path file = directory.resolve("fdb.cluster");
        Files.writeString(directory.resolve("cluster.json"), """
                {"cluster":"orders","namespace":"team-a",
                 "store":{"type":"FoundationDB","clusterFile":"%s","subspace":"team-a/orders"}}
                """.formatted(file));
        assertThat(onCluster("store", "fence", "--yes")).as(said).isEqualTo(2);
        assertThat(said)
                .startsWith("ratchet: The FoundationDB cluster file " + file + " is not there")
                .hasLineCount(1);

        Files.writeString(file, "orders");
        assertThat(onCluster("store", "fence", "--yes")).as(said).isEqualTo(2);
        assertThat(said).contains("is not one line of the form description:id@host:port");
    }

    @Test
    void aStoreWhoseFormatsALaterReleaseHasRaisedIsNotServedAndNothingIsChanged() {
        Path later = directory.resolve("later");
        ReleaseFormats next = new ReleaseFormats("9.0.0", new VersionRange(1, VersionRange.FORMATS.newest() + 1));
        try (EmbeddedStore raised = EmbeddedStore.open(EmbeddedOptions.in(later), environment)) {
            record(raised, next);
        }
        String[] serve = {
            "store",
            "serve",
            "--data-dir",
            later.toString(),
            "--namespace",
            "team-a",
            "--cluster",
            "orders",
            "--token-file",
            token.toString(),
            "--port",
            "0",
            "--health-port",
            "0"
        };
        int exit = assertTimeoutPreemptively(LIMIT, () -> ratchet(serve), "it serves the store");
        assertThat(exit).as(said).isEqualTo(2);
        assertThat(said)
                .contains("recorded by release 9.0.0")
                .contains("this release, " + Release.VERSION + ", works on levels " + VersionRange.FORMATS);
        try (EmbeddedStore raised = EmbeddedStore.open(EmbeddedOptions.in(later), environment)) {
            assertThat(record(raised, next).format()).isEqualTo(next.levels().newest());
        }
    }

    @Test
    void aBackupOfARunningStoreIsRestoredElsewhereUnderAnotherGeneration() {
        Path file = directory.resolve("orders.backup");
        assertThat(onCluster("store", "backup", file.toString())).as(said).isZero();
        assertThat(said).startsWith("Backed up team-a/orders at version ").contains("generation 1");

        Path restored = directory.resolve("restored");
        assertThat(ratchet("store", "restore", file.toString(), "--data-dir", restored.toString()))
                .as(said)
                .isZero();
        try (EmbeddedStore copy = EmbeddedStore.open(EmbeddedOptions.in(restored), environment)) {
            assertThat(said).contains("generation " + copy.generation());
            assertThat(copy.generation()).isGreaterThan(1);
            assertThat(record(copy).storeId()).isEqualTo(record(store).storeId());
        }
    }

    @Test
    void aBackupIntoADirectoryIsNamedByClusterAndTime() throws Exception {
        Path backups = Files.createDirectory(directory.resolve("backups"));
        assertThat(onCluster("store", "backup", backups.toString())).as(said).isZero();
        try (var files = Files.list(backups)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .singleElement()
                    .asString()
                    .matches("team-a-orders-[0-9]{8}T[0-9]{6}Z[.]backup");
        }
    }

    @Test
    void aBackupIsForItsOwnerAlone() throws Exception {
        Path file = directory.resolve("orders.backup");
        assertThat(onCluster("store", "backup", file.toString())).as(said).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aBackupNeverOverwrites() throws Exception {
        Path file = Files.writeString(directory.resolve("orders.backup"), "mine");
        assertThat(onCluster("store", "backup", file.toString())).isEqualTo(2);
        assertThat(said).contains("exists");
        assertThat(file).hasContent("mine");
        Path nowhere = directory.resolve("none").resolve("orders.backup");
        assertThat(onCluster("store", "backup", nowhere.toString())).isEqualTo(2);
        assertThat(said).contains("there is no directory " + nowhere.getParent());
    }

    @Test
    void aBackupOfAStoppedStoreIsTakenFromItsDirectory() {
        assertThat(ratchet(
                        "store",
                        "backup",
                        "--data-dir",
                        data.toString(),
                        directory.resolve("b").toString()))
                .isEqualTo(1);
        assertThat(said).contains("in use by another process");
        server.close();
        store.close();
        assertThat(ratchet(
                        "store",
                        "backup",
                        "--data-dir",
                        data.toString(),
                        directory.resolve("b").toString()))
                .as(said)
                .isZero();
        assertThat(directory.resolve("b")).isNotEmptyFile();
        assertThat(directory.resolve("b.part")).doesNotExist();
    }

    @Test
    void aRestoreOverAStoreWantsToBeToldSo() {
        Path file = directory.resolve("orders.backup");
        assertThat(onCluster("store", "backup", file.toString())).isZero();
        server.close();
        store.close();
        assertThat(ratchet("store", "restore", file.toString(), "--data-dir", data.toString()))
                .isEqualTo(2);
        assertThat(said).contains("--replace");
        assertThat(ratchet("store", "restore", file.toString(), "--data-dir", data.toString(), "--replace"))
                .as(said)
                .isZero();
    }

    @Test
    void whatIsNoBackupIsRefusedAndNothingIsMade() throws Exception {
        Path file = Files.writeString(directory.resolve("orders.backup"), "no backup at all, but long enough for one");
        Path target = directory.resolve("restored");
        assertThat(ratchet("store", "restore", file.toString(), "--data-dir", target.toString()))
                .isEqualTo(1);
        assertThat(said).contains("no snapshot of a store");
        assertThat(target.resolve("STATE")).doesNotExist();
    }

    @Test
    void aFenceRaisesTheGeneration() {
        assertThat(onCluster("store", "fence")).isEqualTo(2);
        assertThat(said).contains("--yes");
        assertThat(onCluster("store", "fence", "--yes")).as(said).isZero();
        assertThat(said).contains("generation " + record(store).generation());
        assertThat(record(store).generation()).isGreaterThan(1);
    }

    @Test
    void keysAreShownByPath() {
        assertThat(onCluster("keys")).as(said).isZero();
        assertThat(said).contains("store/identity").contains("team-a/orders");
        assertThat(onCluster("keys", "futures/record")).isZero();
        assertThat(said).contains("no keys under futures/record");
        assertThat(onCluster("keys", "nowhere/at/all")).isEqualTo(2);
        assertThat(said)
                .contains("under nowhere/at/all")
                .contains("there are dataflow, futures, membership, sessions, store");
        assertThat(onCluster("keys", "futures/records")).isEqualTo(2);
        assertThat(said).contains("no table records: it has").contains("record,");
        assertThat(onCluster("keys", "store//x")).isEqualTo(2);
        assertThat(onCluster("keys", "store/identity/0xq")).isEqualTo(2);
        assertThat(said).contains("no hexadecimal number");
    }
}
