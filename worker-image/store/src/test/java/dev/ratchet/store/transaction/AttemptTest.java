/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a commit must wait for, and what refuses it. */
class AttemptTest {

    private final EmbeddedFDBException tooOld = new EmbeddedFDBException(ErrorCode.TRANSACTION_TOO_OLD);

    private final Attempt attempt = new Attempt(new TransactionSettings());

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadThatHasFailedRefusesTheCommitWhateverIsReadAfterIt(boolean failsAtOnce) {
        CompletableFuture<String> failing = new CompletableFuture<>();
        if (failsAtOnce) {
            failing.completeExceptionally(tooOld);
        }
        CompletableFuture<String> read = attempt.read(failing);
        failing.completeExceptionally(tooOld);
        CompletableFuture<String> late = new CompletableFuture<>();
        attempt.read(late);
        attempt.read(CompletableFuture.completedFuture("answered"));
        late.complete("answered too");

        assertThat(read).isCompletedExceptionally();
        assertThat(attempt.allReads().exceptionNow()).isSameAs(tooOld);
    }

    @Test
    void aCommitWaitsForTheReadsThatAreNotAnsweredYet() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        attempt.read(first);
        attempt.read(second);
        CompletableFuture<Void> all = attempt.allReads();

        first.complete("answered");
        assertThat(all).isNotDone();
        second.complete("answered");
        assertThat(all).isCompleted();
    }
}
