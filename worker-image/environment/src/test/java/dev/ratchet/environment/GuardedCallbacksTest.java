/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardedCallbacksTest {

    private final List<String> done = new ArrayList<>();

    private void fail(String what) {
        done.add(what);
        throw new AssertionError("planted: " + what);
    }

    @Test
    void whatIsThrownAtOnceIsAFailure() {
        assertThat(GuardedCallbacks.begin(() -> {
                    throw new StackOverflowError("planted");
                }))
                .isCompletedExceptionally();
    }

    @Test
    void everyoneIsToldWhateverOneOfThemThrows() {
        GuardedCallbacks.each("telling", List.of("first", "second", "third"), this::fail);
        assertThat(done).containsExactly("first", "second", "third");
    }

    @Test
    void whatFailsIsEndedOtherwise() {
        GuardedCallbacks.or(() -> fail("action"), unexpected -> fail("end"));
        assertThat(done).containsExactly("action", "end");
    }

    @Test
    void roundsFollowEachOtherWhateverTheyThrow() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        CompletableFuture<Void> third = new CompletableFuture<>();
        try (SystemEnvironment environment = new SystemEnvironment()) {
            GuardedCallbacks.repeat(environment, "a round", 1, third::isDone, () -> {
                if (rounds.incrementAndGet() == 3) {
                    third.complete(null);
                }
                throw new IllegalStateException("planted");
            });
            third.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void theEndOfATurnComesForAllWhateverOneOfThemThrows() {
        Turn.run(() -> {
            assertThat(Turn.atEnd(() -> fail("first"))).isTrue();
            assertThat(Turn.atEnd(() -> done.add("second"))).isTrue();
        });
        assertThat(done).containsExactly("first", "second");
    }
}
