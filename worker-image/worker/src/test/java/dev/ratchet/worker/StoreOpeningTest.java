/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreOpeningTest {

    private static final Keyspace KEYSPACE = new Keyspace("team-a/orders");
    private static final String WHY = "no coordinator answers";
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final AtomicInteger tries = new AtomicInteger();
    private final CompletableFuture<Void> terminating = new CompletableFuture<>();

    @AfterEach
    void close() {
        environment.close();
    }

    private StoreOpening process(String podUid, boolean isHeard) throws Exception {
        Map<String, String> variables = new HashMap<>(Map.of(
                "RATCHET_CLUSTER", "orders",
                "RATCHET_NAMESPACE", "team-a",
                "RATCHET_SEAT", "orders-w-0",
                "RATCHET_POD_UID", podUid,
                "RATCHET_POD_IP", "127.0.0.9",
                "RATCHET_HOST", "node-7",
                "RATCHET_THREADS", "4",
                "RATCHET_OBJECT_STORE_MEMORY_BYTES", "1048576",
                "RATCHET_OBJECT_STORE_SPILL_BYTES", "0"));
        variables.put("RATCHET_DRAIN_TIMEOUT_MILLIS", "60000");
        for (String name : new String[] {"CONFIG", "TLS", "DATA", "TEMP"}) {
            variables.put("RATCHET_" + name + "_DIR", directory.toString());
        }
        Path heard = isHeard ? Files.writeString(directory.resolve("termination-log"), "") : null;
        return new StoreOpening(
                WorkerSettings.from(variables), new LastWords(heard), () -> Optional.of(WHY), environment);
    }

    private Database silent() {
        return (Database) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Database.class}, (proxy, method, arguments) -> {
                    tries.incrementAndGet();
                    return CompletableFuture.failedFuture(new FDBException("timed out", 1031));
                });
    }

    private CompletableFuture<Optional<StoreRecord>> waiting(StoreOpening process) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return process.open(silent(), KEYSPACE, terminating);
            } catch (Exception unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
    }

    @Test
    void anOutageIsToldOnceInAPodAndThenWaitedOut() throws Exception {
        assertThatThrownBy(() -> process("pod-1", true).open(silent(), KEYSPACE, terminating))
                .isInstanceOf(StoreSilentException.class)
                .hasMessage(WHY);
        CompletableFuture<Optional<StoreRecord>> second = waiting(process("pod-1", true));
        await("further tries").atMost(LONG).until(() -> tries.get() >= 3);
        assertThat(second).isNotDone();
        terminating.complete(null);
        assertThat(second.join()).isEmpty();
        assertThatThrownBy(() -> process("pod-2", true).open(silent(), KEYSPACE, new CompletableFuture<>()))
                .isInstanceOf(StoreSilentException.class);
    }

    @Test
    void theNextOutageIsToldAgain() throws Exception {
        assertThatThrownBy(() -> process("pod-1", true).open(silent(), KEYSPACE, terminating))
                .isInstanceOf(StoreSilentException.class);
        Database database = new EmbeddedDatabaseSupplier(environment).get();
        assertThat(process("pod-1", true).open(database, KEYSPACE, terminating)).isPresent();
        assertThatThrownBy(() -> process("pod-1", true).open(silent(), KEYSPACE, terminating))
                .isInstanceOf(StoreSilentException.class);
    }

    @Test
    void whereNobodyHearsLastWordsItIsWaitedAtOnce() throws Exception {
        CompletableFuture<Optional<StoreRecord>> first = waiting(process("pod-1", false));
        await("further tries").atMost(LONG).until(() -> tries.get() >= 2);
        terminating.complete(null);
        assertThat(first.join()).isEmpty();
    }
}
