/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.worker.ProxiedDatabase;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a worker does about a long queue of sessions that nobody can serve, by a clock that the test moves on. Every
 * round is through when the call returns that has begun it, but for the first.
 */
class StuckSessionsTest {

    private static final int PAGES = 4;
    private static final int STUCK = (PAGES - 1) * SessionGrants.WAITING_MAX + 1;
    private static final int SECONDS = 60;

    private final SystemEnvironment real = new SystemEnvironment();
    private final HandClock environment = new HandClock(real, new AtomicLong(), new ConcurrentLinkedQueue<>());
    private final AtomicInteger rounds = new AtomicInteger();
    private final SlotCapacity capacity = new SlotCapacity(Map.of("gpu", 1), Map.of(), 1);
    private final FutureStore store = store();
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final SessionHolder holder = new SessionHolder(
            store,
            new StoredMembers(store.keys().keyspace()),
            new OpenSeat("w-0"),
            (transaction, id) -> CompletableFuture.completedFuture(Optional.empty()),
            capacity,
            (id, session) -> CompletableFuture.completedFuture(null),
            (id, session) -> CompletableFuture.completedFuture(Optional.empty()));

    @AfterEach
    void close() {
        holder.end();
        real.close();
    }

    @Test
    void aWorkerThatNobodyTellsOfAnythingMakesAboutOneTransactionInASecond() {
        startBehindStuckOnes();
        int before = rounds.get();

        IntStream.range(0, SECONDS).forEach(second -> environment.passSecond());

        assertThat(rounds.get() - before)
                .as("rounds in " + SECONDS + " s, with a queue of " + PAGES + " pages")
                .isBetween(PAGES, SECONDS + 2 * PAGES);
    }

    @Test
    void slotsThatAreOfferedAreGrantedWithinASecond() {
        startBehindStuckOnes();
        environment.passSecond();

        capacity.change(Map.of("fpga", 1), Map.of(), 1);
        environment.passSecond();

        assertThat(holder.size()).as("sessions with slots").isEqualTo(1);
    }

    @Test
    void oneThatIsToldLooksAtOnce() {
        startBehindStuckOnes();
        int before = rounds.get();

        holder.poke();

        assertThat(rounds.get() - before).isEqualTo(PAGES);
    }

    private void startBehindStuckOnes() {
        for (int from = 0; from < STUCK; from += 500) {
            int first = from;
            store.runPlain(transaction -> {
                        IntStream.range(first, Math.min(STUCK, first + 500)).forEach(number -> {
                            UUID id = new UUID(1, number);
                            keys.set(transaction, id, stuck());
                            keys.queue(transaction, id, stuck());
                        });
                        return CompletableFuture.<Void>completedFuture(null);
                    })
                    .join();
        }
        holder.start();
        Awaitility.await("all that wait to be counted")
                .until(() -> holder.waiting().equals(Map.of("fpga", STUCK)));
        // The first round has begun on another thread, which may still be about to end the pass.
        Awaitility.await("a round of this thread").until(() -> {
            int before = rounds.get();
            holder.poke();
            return rounds.get() - before == PAGES;
        });
    }

    private SessionRecord stuck() {
        return SessionRecord.newBuilder()
                .setState(SessionState.SESSION_STATE_WAITING)
                .setCreationDeadlineWallMillis(real.wallClockMillis() + 600_000)
                .setDemand(SlotDemand.newBuilder().putSlots("fpga", 1))
                .build();
    }

    private FutureStore store() {
        Database database = StoreUnderTest.open(real);
        return new FutureStore(
                ProxiedDatabase.running(database, handler -> {
                    rounds.incrementAndGet();
                    return CompletableFuture.completedFuture(
                            database.runAsync(handler).join());
                }),
                new FutureKeys(new Keyspace("test/sessions")),
                environment);
    }

    /** What is to happen later happens when a second has passed. */
    private record HandClock(Environment real, AtomicLong nanos, Queue<Runnable> later)
            implements ForwardingEnvironment {

        void passSecond() {
            nanos.addAndGet(1_000_000_000);
            for (int left = later.size(); left > 0; left--) {
                later.remove().run();
            }
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public Executor executor() {
            return Runnable::run;
        }

        @Override
        public Cancellable schedule(long delayMillis, Runnable task) {
            later.add(task);
            return () -> {};
        }
    }
}
