/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.SubmitOptions;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StateCountsTest {

    private final StoreFixture steps = new StoreFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void futuresOfAllJobsAreCountedHoweverManyPagesOfCountersThereAre() {
        for (int job = 0; job < 5; job++) {
            SubmitOptions options = SubmitOptions.ofJob("job " + job);
            steps.submit(options);
            steps.submit(options.withTenant("other"));
            steps.submit(options.withDelay(Duration.ofHours(1)));
        }
        steps.claimer("w-0").claim(StoreFixture.room(4)).join();
        for (int page : new int[] {1, 2, 3, 1_000}) {
            StateCounts counts = new StateCounts(steps.store, page);
            assertThat(counts.of(State.STATE_QUEUED)).as("before a count").isZero();

            counts.count().join();

            assertThat(counts.of(State.STATE_QUEUED)).isEqualTo(6);
            assertThat(counts.of(State.STATE_CLAIMED)).isEqualTo(4);
            assertThat(counts.of(State.STATE_DELAYED)).isEqualTo(5);
            assertThat(counts.of(State.STATE_REALIZED)).isZero();
        }
    }

    @Test
    void whatIsCountedAgainReplacesTheFormerCountUntilAnotherWorkerCounts() {
        StateCounts counts = new StateCounts(steps.store);
        steps.submit(0);
        counts.count().join();
        steps.submit(0);
        assertThat(counts.of(State.STATE_QUEUED)).isEqualTo(1);
        counts.count().join();
        assertThat(counts.of(State.STATE_QUEUED)).isEqualTo(2);

        counts.forget();

        assertThat(counts.of(State.STATE_QUEUED)).isZero();
    }
}
