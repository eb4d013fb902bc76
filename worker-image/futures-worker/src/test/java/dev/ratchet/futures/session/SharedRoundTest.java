/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.store.fixture.Proxied;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How many transactions a worker makes for sessions that it is asked for together, what they read and write, and how
 * its last round ends.
 */
class SharedRoundTest {

    private static final int SESSIONS = 40;
    private static final Set<String> WRITES = Set.of("set", "clear", "mutate");

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final AtomicInteger transactions = new AtomicInteger();
    /** What happens while the next transaction is under way. */
    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    /** Keys that transactions have written, each as often as they did; and slots of hosts that they have read. */
    private final Queue<ByteString> written = new ConcurrentLinkedQueue<>();

    private final AtomicInteger hostReads = new AtomicInteger();

    private final FutureStore store =
            new FutureStore(counted(StoreUnderTest.open(environment)), new FutureKeys(keyspace), environment);
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(keyspace),
            new OpenSeat("w-0"),
            (transaction, id) -> CompletableFuture.completedFuture(Optional.empty()),
            new SlotCapacity(Map.of("gpu", SESSIONS), Map.of("license", 1), 1),
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));

    @AfterEach
    void close() {
        holder.end();
        environment.close();
    }

    @Test
    void whatIsAskedForTogetherIsOneTransaction() {
        holder.start();
        // Which is answered behind the round with which the worker begins.
        ask(List.of(closing(-1)));
        int before = transactions.get();

        assertThat(ask(IntStream.range(0, SESSIONS).mapToObj(this::opening).toList()))
                .containsOnly(SessionState.SESSION_STATE_OPEN);
        assertThat(ask(IntStream.range(0, SESSIONS).mapToObj(this::closing).toList()))
                .containsOnly(SessionState.SESSION_STATE_CLOSED);

        assertThat(transactions.get() - before)
                .as("transactions of " + SESSIONS + " sessions that were opened together and closed together")
                .isEqualTo(2);
    }

    @Test
    void aCloseWritesEachKeyOnce() {
        holder.start();
        ask(List.of(opening(0)));
        written.clear();

        assertThat(ask(List.of(closing(0)))).containsOnly(SessionState.SESSION_STATE_CLOSED);

        assertThat(written).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void slotsOfTheHostAreReadWhereSomebodyWantsThem() {
        holder.start();
        ask(List.of(closing(-1)));

        ask(List.of(opening(0)));
        assertThat(hostReads).as("reads for a slot of the worker itself").hasValue(0);

        ask(List.of(opening("license", 1)));
        assertThat(hostReads).as("reads for a slot of the host").hasValue(1);
    }

    @Test
    void aWorkerThatEndsDuringARoundHoldsNothingAlthoughAnotherLookWasWanted() {
        holder.start();
        ask(List.of(closing(-1)));
        CompletableFuture<Void> empty = new CompletableFuture<>();
        meanwhile.set(() -> {
            holder.poke();
            holder.close(false).thenRun(() -> empty.complete(null));
            holder.end();
        });

        ask(List.of(closing(-1)));

        assertThat(empty).as("nothing is held any more").succeedsWithin(Duration.ofSeconds(20));
    }

    private List<SessionState> ask(List<SlotsRequest> requests) {
        return SessionGrants.together(holder.ask(requests)).join().stream()
                .map(answer -> answer.getSession().getState())
                .toList();
    }

    private SlotsRequest opening(int number) {
        return opening("gpu", number);
    }

    private SlotsRequest opening(String resource, int number) {
        UUID id = new UUID(1, number);
        return SlotsRequest.newBuilder()
                .setOpen(OpenSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(id))
                        .setDemand(SlotDemand.newBuilder().putSlots(resource, 1))
                        .setCreationTimeoutMillis(60_000)
                        .setOwnerSecret(SessionIds.bytes(id))
                        .setUserSecret(SessionIds.bytes(id)))
                .build();
    }

    private SlotsRequest closing(int number) {
        UUID id = new UUID(1, number);
        return SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(id))
                        .setOwnerSecret(SessionIds.bytes(id)))
                .build();
    }

    private Database counted(Database real) {
        return ProxiedDatabase.running(real, handler -> {
            transactions.incrementAndGet();
            meanwhile.getAndSet(() -> {}).run();
            return real.runAsync(transaction -> handler.apply(telling(transaction)));
        });
    }

    private Transaction telling(Transaction real) {
        Range slotsOfHosts = new SessionKeys(new FutureKeys(keyspace)).hostSlots.range();
        return Proxied.of(Transaction.class, (method, arguments) -> {
            if (WRITES.contains(method.getName()) && arguments[0] instanceof byte[] key) {
                written.add(ByteString.copyFrom(key));
            } else if (method.getName().equals("getRange")
                    && arguments[0] instanceof Range range
                    && ByteArrayUtil.compareUnsigned(range.begin, slotsOfHosts.begin) >= 0
                    && ByteArrayUtil.compareUnsigned(range.begin, slotsOfHosts.end) < 0) {
                hostReads.incrementAndGet();
            }
            return Proxied.pass(real, method, arguments);
        });
    }
}
