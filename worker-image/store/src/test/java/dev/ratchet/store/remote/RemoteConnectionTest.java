/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.LogLines;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.ErrorCode;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.StoreConnection;
import dev.ratchet.store.transaction.WatchRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RemoteConnectionTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private ServedEngine store;
    private RemoteConnection client;

    @BeforeEach
    void start() {
        store = new ServedEngine();
        client = store.connect();
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    void everyCallGivesOverTheWireWhatTheEngineGives() throws Exception {
        CommitOutcome written = get(client.commit(sets("a", "1", "b", "2", "c", "3")));
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        assertThat(version).isGreaterThanOrEqualTo(written.version());
        assertThat(get(client.get(version, bytes("b")))).isEqualTo(bytes("2"));
        assertThat(get(client.get(version, bytes("x")))).isNull();
        assertThat(get(client.resolve(version, KeySelector.firstGreaterThan(bytes("b")))))
                .isEqualTo(bytes("c"));
        RangeChunk rows = get(client.range(RangeRead.ofKeys(version, bytes("a"), bytes("c"), 10, 1000, true)));
        assertThat(rows.rows())
                .containsExactly(new KeyValue(bytes("b"), bytes("2")), new KeyValue(bytes("a"), bytes("1")));
        assertThat(rows.more()).isFalse();
        assertThat(get(client.estimatedSizeBytes(bytes("a"), bytes("d"))))
                .isEqualTo(get(store.engine.estimatedSizeBytes(bytes("a"), bytes("d"))));
        assertThat(get(client.splitPoints(bytes("a"), bytes("d"), 1)).size())
                .isEqualTo(
                        get(store.engine.splitPoints(bytes("a"), bytes("d"), 1)).size());
        assertThat(new String(get(client.status()), StandardCharsets.UTF_8)).startsWith("{");
        assertThat(get(client.opened())).isEqualTo(1);
    }

    @Test
    void anErrorKeepsItsCode() {
        assertThat(codeOf(client.get(1, bytes("a")))).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    }

    @Test
    void aConflictNamesTheRangesWhereAsked() throws Exception {
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        get(client.commit(sets("a", "1")));
        CommitRequest stale = new CommitRequest(
                version,
                List.of(KeyRange.ofKey(bytes("a"))),
                List.of(KeyRange.ofKey(bytes("b"))),
                List.of(new Mutation(Mutation.SET, bytes("b"), bytes("2"))),
                100,
                null,
                false,
                true,
                false);
        assertThatThrownBy(() -> get(client.commit(stale)))
                .hasCauseInstanceOf(dev.ratchet.store.transaction.ConflictException.class)
                .satisfies(failure -> assertThat(
                                ((dev.ratchet.store.transaction.ConflictException) failure.getCause()).conflicts())
                        .isNotEmpty());
    }

    @Test
    void aTransactionLargerThanAMessageArrivesWhole() throws Exception {
        List<Mutation> mutations = new ArrayList<>();
        List<KeyRange> conflicts = new ArrayList<>();
        for (int i = 0; i < 95; i++) {
            byte[] value = new byte[100_000];
            value[99_999] = (byte) i;
            mutations.add(new Mutation(Mutation.SET, key(i), value));
            conflicts.add(KeyRange.ofKey(key(i)));
        }
        get(client.commit(
                new CommitRequest(-1, List.of(), conflicts, mutations, 9_600_000, null, false, false, false)));
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        RangeChunk all = get(client.range(
                RangeRead.ofKeys(version, key(0), key(1000), Integer.MAX_VALUE, Integer.MAX_VALUE, false)));
        assertThat(all.rows()).hasSize(95);
        assertThat(all.rows().get(94).getValue()[99_999]).isEqualTo((byte) 94);
        RangeChunk limited =
                get(client.range(RangeRead.ofKeys(version, key(0), key(1000), 7, Integer.MAX_VALUE, true)));
        assertThat(limited.rows()).hasSize(7);
        assertThat(limited.more()).isTrue();
        RangeChunk bytes = get(client.range(RangeRead.ofKeys(version, key(0), key(1000), 1000, 650_000, false)));
        RangeChunk local = get(store.engine.range(RangeRead.ofKeys(version, key(0), key(1000), 1000, 650_000, false)));
        assertThat(bytes.rows()).hasSameSizeAs(local.rows());
        assertThat(bytes.more()).isEqualTo(local.more());
    }

    @Test
    void aWatchFiresAndACancelledOneIsForgotten() throws Exception {
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        CompletableFuture<Void> watch = client.watch(new WatchRequest(bytes("w"), null, version));
        CompletableFuture<Void> cancelled = client.watch(new WatchRequest(bytes("v"), null, version));
        await().atMost(LIMIT).until(() -> watches() == 2);
        cancelled.cancel(true);
        await().atMost(LIMIT).until(() -> watches() == 1);
        get(client.commit(sets("w", "1")));
        watch.get(20, TimeUnit.SECONDS);
        await().atMost(LIMIT).until(() -> watches() == 0);
    }

    @Test
    void aWatchOutlivesItsConnection() throws Exception {
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        CompletableFuture<Void> watch = client.watch(new WatchRequest(bytes("w"), null, version));
        await().atMost(LIMIT).until(() -> watches() == 1);
        store.proxy.cut();
        get(store.engine.commit(sets("w", "1")));
        watch.get(20, TimeUnit.SECONDS);
    }

    @Test
    void readsWaitWhileTheStoreIsAwayAndAreAnsweredThen() throws Exception {
        get(client.commit(sets("a", "1")));
        store.proxy.down();
        CompletableFuture<Long> version = client.readVersion(ReadVersionRequest.DEFAULT);
        store.restartServer(1);
        assertThat(version).isNotDone();
        store.proxy.up();
        assertThat(get(client.get(get(version), bytes("a")))).isEqualTo(bytes("1"));
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundAfterReconnecting() throws Exception {
        get(client.opened());
        store.proxy.loseAnswers();
        CompletableFuture<CommitOutcome> commit = client.commit(sets("a", "1"));
        await().atMost(LIMIT).until(() -> valueInEngine("a") != null);
        assertThat(commit).isNotDone();
        store.proxy.cut();
        CommitOutcome outcome = get(commit);
        assertThat(get(store.engine.get(outcome.version(), bytes("a")))).isEqualTo(bytes("1"));
    }

    @Test
    void aCommitThatWasLostIsUnknownAndNeverLands() throws Exception {
        get(client.opened());
        store.proxy.loseRequests();
        CompletableFuture<CommitOutcome> commit = client.commit(sets("a", "1"));
        store.proxy.cut();
        assertThat(codeOf(commit)).isEqualTo(ErrorCode.COMMIT_UNKNOWN_RESULT);
        get(client.commit(sets("b", "2")));
        assertThat(valueInEngine("a")).isNull();
    }

    @Test
    void aCommitThatComesLateOverTheFormerConnectionNeverLands() throws Exception {
        get(client.opened());
        store.proxy.holdRequests();
        CompletableFuture<CommitOutcome> commit = client.commit(sets("a", "1".repeat(50_000)));
        await().atMost(LIMIT).until(() -> store.proxy.heldBytes() > 50_000);
        store.proxy.cutClientsOfHeld();
        assertThat(codeOf(commit)).isEqualTo(ErrorCode.COMMIT_UNKNOWN_RESULT);
        store.proxy.release();
        get(client.commit(sets("b", "2")));
        assertThat(valueInEngine("a")).isNull();
    }

    @Test
    void aSilentNetworkIsNoticedInSeconds() throws Exception {
        get(client.opened());
        store.proxy.loseAnswers();
        store.proxy.loseRequests();
        CompletableFuture<CommitOutcome> commit = client.commit(sets("a", "1"));
        CompletableFuture<Long> read = client.readVersion(ReadVersionRequest.DEFAULT);
        assertThat(get(read)).isPositive();
        assertThat(codeOf(commit)).isEqualTo(ErrorCode.COMMIT_UNKNOWN_RESULT);
    }

    @Test
    void anotherSeatsNameIsRefusedWithALineInTheLog() {
        Identity other = new Identity("team-a", "orders", Kind.WORKER, "orders-w-1");
        try (LogLines log = new LogLines("dev.ratchet.store.server")) {
            RemoteConnection thief = store.connect(store.authority.issue(other), ServedEngine.WORKER);
            assertThatThrownBy(() -> get(thief.readVersion(ReadVersionRequest.DEFAULT)))
                    .hasMessageContaining("orders-w-1")
                    .hasMessageContaining("refuses this process");
            assertThatThrownBy(() -> get(thief.opened())).hasMessageContaining("refuses this process");
            assertThat(log.with("Store session refused"))
                    .isNotEmpty()
                    .first()
                    .asString()
                    .contains("orders-w-1");
        }
    }

    @Test
    void aClientsCertificateOpensNoSession() {
        Identity person = new Identity("team-a", "orders", Kind.CLIENT, "orders-client");
        RemoteConnection refused = store.connect(store.authority.issue(person), person);
        assertThatThrownBy(() -> get(refused.readVersion(ReadVersionRequest.DEFAULT)))
                .hasMessageContaining("may not call");
    }

    @Test
    void aRestoredStoreIsNotWorkedOnAnyMore() throws Exception {
        get(client.opened());
        store.restartServer(2);
        await().atMost(LIMIT)
                .until(() -> client.readVersion(ReadVersionRequest.DEFAULT).isCompletedExceptionally());
        assertThatThrownBy(() -> get(client.readVersion(ReadVersionRequest.DEFAULT)))
                .hasMessageContaining("restored");
    }

    @Test
    void aClosedConnectionFailsWhatIsPendingAndWhatComes() throws Exception {
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        CompletableFuture<Void> watch = client.watch(new WatchRequest(bytes("w"), null, version));
        client.close();
        assertThat(codeOf(watch)).isEqualTo(ErrorCode.TRANSACTION_CANCELLED);
        assertThat(codeOf(client.readVersion(ReadVersionRequest.DEFAULT))).isEqualTo(ErrorCode.TRANSACTION_CANCELLED);
        await().atMost(LIMIT).until(() -> watches() == 0);
    }

    @Test
    void tenThousandRequestsAtOnceAreAllAnswered() throws Exception {
        get(client.commit(sets("a", "1")));
        long version = get(client.readVersion(ReadVersionRequest.DEFAULT));
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            reads.add(client.get(version, bytes("a")));
        }
        for (CompletableFuture<byte[]> read : reads) {
            assertThat(get(read)).isEqualTo(bytes("1"));
        }
    }

    @Test
    void healthAndMetricsAreOpen() throws Exception {
        get(client.commit(sets("a", "1")));
        assertThat(http("/livez")).isEqualTo("200 ok\n");
        assertThat(http("/readyz")).isEqualTo("200 ok\n");
        assertThat(http("/metrics")).contains("ratchet_store_sessions 1").contains("kind=\"commit\"} 1");
        store.engine.close();
        assertThat(http("/readyz")).startsWith("503");
    }

    private String http(String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + store.healthPort() + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body();
        }
    }

    private long watches() throws Exception {
        return store.metric("ratchet_store_requests_under_way");
    }

    private byte[] valueInEngine(String key) throws Exception {
        StoreConnection engine = store.engine;
        return get(engine.get(get(engine.readVersion(ReadVersionRequest.DEFAULT)), bytes(key)));
    }

    static CommitRequest sets(String... keysAndValues) {
        List<Mutation> mutations = new ArrayList<>();
        List<KeyRange> conflicts = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            mutations.add(new Mutation(Mutation.SET, bytes(keysAndValues[i]), bytes(keysAndValues[i + 1])));
            conflicts.add(KeyRange.ofKey(bytes(keysAndValues[i])));
        }
        return new CommitRequest(
                CommitRequest.NO_READ_VERSION, List.of(), conflicts, mutations, 100, null, false, false, false);
    }

    private static byte[] key(int number) {
        return bytes("%04d".formatted(number));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static int codeOf(CompletableFuture<?> future) {
        try {
            future.get(30, TimeUnit.SECONDS);
            throw new AssertionError("Did not fail");
        } catch (ExecutionException failure) {
            return ((FDBException) failure.getCause()).getCode();
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
