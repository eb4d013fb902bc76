/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.upkeep.StateCounts.Queue;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateCountsTest {

    private static final int ENTRIES = 300;
    private static final List<Queue> QUEUES = List.of(Queue.values());

    private final StoreFixture steps = new StoreFixture();
    private final FutureKeys keys = steps.store.keys();
    private final Map<Queue, Long> due = new EnumMap<>(Queue.class);

    @AfterEach
    void close() {
        steps.close();
    }

    private static FutureId anyId(Random random) {
        return FutureId.ofRandom(random.nextLong(), random.nextLong());
    }

    /** Writes an entry of some queue; one in three of those that have a time is not due yet. */
    private void addEntry(Random random) {
        long now = steps.store.environment().wallClockMillis();
        boolean isDue = random.nextInt(3) > 0;
        long time = isDue ? now - random.nextLong(1_000_000) : now + 1_000_000 + random.nextLong(1_000_000);
        FutureId id = anyId(random);
        Queue queue = QUEUES.get(random.nextInt(QUEUES.size()));
        byte[] key =
                switch (queue) {
                    case DEPENDENTS -> keys.unsettled.key(id.value());
                    case DELAYS -> keys.timers.key(time, id.value());
                    case RETENTIONS -> keys.expiry(time, id);
                    case GARBAGE -> keys.garbage.key("w-" + random.nextInt(3), 1L, id.value(), 1L);
                    case MAIL -> keys.mailbox.key("w-" + random.nextInt(3), id.value());
                };
        steps.store
                .runPlain(transaction -> {
                    transaction.set(key, FutureKeys.PRESENT);
                    return CompletableFuture.completedFuture(null);
                })
                .join();
        if (isDue || (queue != Queue.DELAYS && queue != Queue.RETENTIONS)) {
            due.merge(queue, 1L, Long::sum);
        }
    }

    private StateCounts counted(int page, int limit) {
        StateCounts stateCounts = new StateCounts(steps.store, page, limit);
        stateCounts.count().join();
        return stateCounts;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsDueIsCountedHoweverManyPagesItHas(long seed) {
        Random random = new Random(seed);
        for (int entry = 0; entry < ENTRIES; entry++) {
            addEntry(random);
        }
        for (int page : new int[] {1, 2, 7, 10_000}) {
            StateCounts stateCounts = counted(page, StateCounts.COUNTED_MAX);
            for (Queue queue : Queue.values()) {
                assertThat(stateCounts.of(queue)).as("%s by %d", queue, page).isEqualTo(due.getOrDefault(queue, 0L));
            }
        }
    }

    @Test
    void noMoreIsCountedThanTheLimit() {
        Random random = new Random(4);
        for (int entry = 0; entry < ENTRIES; entry++) {
            addEntry(random);
        }
        for (int page : new int[] {1, 4, 5, 10_000}) {
            assertThat(counted(page, 20).of(Queue.MAIL)).isEqualTo(20);
        }
    }

    @Test
    void futuresOfAllJobsAreCountedByState() {
        for (int job = 0; job < 5; job++) {
            SubmitOptions options = SubmitOptions.ofJob("job " + job);
            steps.submit(options);
            steps.submit(options.withTenant("other"));
            steps.submit(options.withDelay(Duration.ofHours(1)));
        }
        steps.claimer("w-0").claim(StoreFixture.room(4)).join();
        for (int page : new int[] {1, 2, 3, 1_000}) {
            StateCounts stateCounts = counted(page, 2);

            assertThat(stateCounts.of(State.STATE_QUEUED)).isEqualTo(6);
            assertThat(stateCounts.of(State.STATE_CLAIMED)).isEqualTo(4);
            assertThat(stateCounts.of(State.STATE_DELAYED)).isEqualTo(5);
            assertThat(stateCounts.of(State.STATE_REALIZED)).isZero();
        }
    }

    @Test
    void whatIsCountedAgainReplacesTheFormerCountUntilAnotherWorkerCounts() {
        Random random = new Random(5);
        StateCounts stateCounts = new StateCounts(steps.store);
        for (Queue queue : Queue.values()) {
            assertThat(stateCounts.of(queue)).as("before a count").isZero();
        }
        for (int round = 0; round < 2; round++) {
            for (int entry = 0; entry < ENTRIES / 10; entry++) {
                addEntry(random);
            }
            steps.submit(0);
            stateCounts.count().join();
            assertThat(stateCounts.of(Queue.MAIL))
                    .isEqualTo(due.get(Queue.MAIL))
                    .isPositive();
            assertThat(stateCounts.of(State.STATE_QUEUED)).isEqualTo(1 + round);
        }

        stateCounts.forget();

        assertThat(stateCounts.of(Queue.MAIL)).isZero();
        assertThat(stateCounts.of(State.STATE_QUEUED)).isZero();
    }
}
