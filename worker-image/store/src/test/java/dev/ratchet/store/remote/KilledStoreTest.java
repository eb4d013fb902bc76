/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.TokenSecurity;
import dev.ratchet.store.Access;
import dev.ratchet.store.DatabaseFactory;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import dev.ratchet.store.StoreConfiguration;
import dev.ratchet.store.transaction.VersionstampPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store process is killed in the middle of a storm of commits and started again, while its clients go on. What was
 * acknowledged is there, nothing is there by half, and no stamp comes twice.
 */
class KilledStoreTest {

    private static final int CLIENTS = 32;
    private static final int LIVES = 2;
    private static final int COMMITS_PER_LIFE = 1000;
    private static final int VALUE_BYTES = 1000;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Map<Long, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong();
    private final AtomicBoolean ending = new AtomicBoolean();

    @TempDir
    Path directory;

    private Path token() throws IOException {
        Path file = Files.createFile(
                directory.resolve("token"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, "0123456789abcdef0123");
    }

    private Database connect(Path token, int port) {
        Identity self = new Identity(StoreProcess.NAMESPACE, StoreProcess.CLUSTER, Kind.WORKER, "orders-w-0");
        return DatabaseFactory.open(
                new StoreConfiguration.Embedded("127.0.0.1:" + port, "orders-store-0", "x"),
                new Access(TokenSecurity.fromFile(token, self), self, "0.1.0"),
                environment);
    }

    /** Commits one after the other; what fails is not tried again. */
    private CompletableFuture<Void> storm(Database database) {
        if (ending.get()) {
            return CompletableFuture.completedFuture(null);
        }
        long id = nextId.incrementAndGet();
        Transaction tr = database.createTransaction();
        tr.set(Tuple.from("a", id).pack(), new byte[VALUE_BYTES]);
        tr.set(Tuple.from("b", id).pack(), new byte[0]);
        tr.mutate(
                MutationType.SET_VERSIONSTAMPED_KEY,
                VersionstampPlaces.pack(new byte[0], List.of("s"), 0, List.of(id)),
                new byte[0]);
        return tr.commit()
                .handleAsync(
                        (nothing, error) -> {
                            if (error == null) {
                                acknowledged.put(id, tr.getCommittedVersion());
                            }
                            tr.close();
                            return null;
                        },
                        environment.executor())
                .thenCompose(nothing -> storm(database));
    }

    @Test
    void whatWasAcknowledgedSurvivesKillsOfTheProcessUnderLoad() throws Exception {
        Path token = token();
        Path data = directory.resolve("data");
        StoreProcess process = StoreProcess.start(data, token, 0);
        try (Database database = connect(token, process.port())) {
            CompletableFuture<?>[] clients = new CompletableFuture<?>[CLIENTS];
            for (int i = 0; i < CLIENTS; i++) {
                clients[i] = storm(database);
            }
            for (int life = 1; life <= LIVES; life++) {
                int enough = acknowledged.size() + COMMITS_PER_LIFE;
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> acknowledged.size() >= enough);
                process.kill();
                process = StoreProcess.start(data, token, process.port());
            }
            ending.set(true);
            CompletableFuture.allOf(clients).get(60, TimeUnit.SECONDS);
            StoreProcess last = process;
            assertThatThrownBy(() -> EmbeddedStore.open(EmbeddedOptions.in(data), environment))
                    .as("held by process of port %d", last.port())
                    .hasMessageContaining("in use by another process");
            check(database);
        } finally {
            process.close();
            environment.close();
        }
    }

    private void check(Database database) {
        Set<Long> first = ids(database, "a");
        assertThat(first).containsAll(acknowledged.keySet());
        assertThat(ids(database, "b")).isEqualTo(first);
        Map<Long, Long> stamped = new HashMap<>();
        Set<String> stamps = new HashSet<>();
        for (KeyValue row : rows(database, "s")) {
            Tuple key = Tuple.fromBytes(row.getKey());
            byte[] stamp = key.getVersionstamp(1).getBytes();
            stamps.add(ByteArrayUtil.printable(stamp));
            stamped.put(key.getLong(2), java.nio.ByteBuffer.wrap(stamp).getLong());
        }
        assertThat(stamped.keySet()).isEqualTo(first);
        assertThat(stamps).hasSameSizeAs(first);
        acknowledged.forEach((id, version) -> assertThat(stamped).containsEntry(id, version));
    }

    private static Set<Long> ids(Database database, String prefix) {
        Set<Long> ids = new HashSet<>();
        rows(database, prefix)
                .forEach(row -> ids.add(Tuple.fromBytes(row.getKey()).getLong(1)));
        return ids;
    }

    private static List<KeyValue> rows(Database database, String prefix) {
        return database.read(
                tr -> tr.getRange(Tuple.from(prefix).range()).asList().join());
    }
}
