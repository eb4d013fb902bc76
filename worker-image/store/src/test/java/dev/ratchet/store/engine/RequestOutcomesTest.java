/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Limits;
import dev.ratchet.store.transaction.RequestId;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RequestOutcomesTest {

    private static final long RETENTION_NANOS = Limits.REQUEST_ID_RETENTION_MILLIS * 1_000_000;

    private final RequestOutcomes outcomes = new RequestOutcomes();

    private static RequestId id(long sequence) {
        return new RequestId(7, sequence);
    }

    @Test
    void everyOutcomeIsKnownForTheWholeRetentionAndForgottenSoonAfter() {
        for (int second = 0; second < 300; second++) {
            outcomes.committed(id(second), new CommitOutcome(second, 0), second * 1_000_000_000L);
            long kept = Math.max(0, second - RETENTION_NANOS / 1_000_000_000);
            for (long earlier = kept; earlier <= second; earlier++) {
                assertThat(outcomes.outcome(id(earlier))).isEqualTo(new CommitOutcome(earlier, 0));
            }
            assertThat(outcomes.isDecided(id(kept * 3 / 4 - 20))).isFalse();
        }
    }

    @Test
    void aRefusedCommitIsDecidedAndHasNoOutcome() {
        outcomes.refuse(id(1), 0);
        assertThat(outcomes.isDecided(id(1))).isTrue();
        assertThat(outcomes.outcome(id(1))).isNull();
        assertThat(outcomes.committed().get()).isEmpty();
    }

    @Test
    void whatACheckpointTookDoesNotChangeAnyMore() {
        outcomes.committed(id(1), new CommitOutcome(10, 0), 0);
        Supplier<Map<RequestId, CommitOutcome>> taken = outcomes.committed();
        outcomes.committed(id(2), new CommitOutcome(11, 3), 1);
        assertThat(taken.get()).isEqualTo(Map.of(id(1), new CommitOutcome(10, 0)));
        assertThat(outcomes.committed().get()).containsOnlyKeys(id(1), id(2));
        assertThat(outcomes.outcome(id(1))).isEqualTo(new CommitOutcome(10, 0));
    }

    @Test
    void atTheLimitTheOldestAreForgotten() {
        for (int i = 0; i < 1_100_000; i++) {
            outcomes.committed(id(i), new CommitOutcome(i, 0), i);
        }
        assertThat(outcomes.isDecided(id(0))).isFalse();
        assertThat(outcomes.isDecided(id(400_000))).isTrue();
        assertThat(outcomes.committed().get()).hasSizeLessThanOrEqualTo(1_000_000);
    }
}
