/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.generator;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An answer that waits until it says something, for a limited time: looks, and looks again whenever there is a notice.
 * A notice while it looks makes it look once more, so none is missed. Safe for use by several threads.
 *
 * @param <T> the answer
 */
final class LongPoll<T> {

    /** Less than any call may take. */
    private static final long LONGEST_MILLIS = 15_000;

    private final Notices notices;
    private final FutureId id;
    private final Supplier<CompletableFuture<T>> look;
    private final Predicate<T> enough;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final Runnable listener = this::noticed;
    private boolean looking;
    private boolean again;
    private boolean late;

    LongPoll(Notices notices, FutureId id, Supplier<CompletableFuture<T>> look, Predicate<T> enough) {
        this.notices = notices;
        this.id = id;
        this.look = look;
        this.enough = enough;
    }

    CompletableFuture<T> start(Environment environment) {
        notices.add(id, listener);
        Cancellable sharedDeadline = environment.schedule(LONGEST_MILLIS, this::expire);
        noticed();
        return answer.whenComplete((done, failure) -> {
            sharedDeadline.cancel();
            notices.remove(id, listener);
        });
    }

    private void expire() {
        synchronized (this) {
            late = true;
        }
        noticed();
    }

    private void noticed() {
        synchronized (this) {
            if (looking) {
                again = true;
                return;
            }
            looking = true;
        }
        GuardedCallbacks.begin(look).whenComplete((found, failure) -> {
            boolean repeat;
            boolean last;
            synchronized (this) {
                looking = false;
                repeat = again;
                again = false;
                last = late;
            }
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (last || enough.test(found)) {
                answer.complete(found);
            } else if (repeat) {
                noticed();
            }
        });
    }
}
