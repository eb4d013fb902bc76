/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import dev.ratchet.protocol.store.v1.Request;
import dev.ratchet.protocol.store.v1.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not answered yet. Invariant: it is given to each link at most once, and a commit to one link only:
 * what became of that is asked of the next.
 *
 * @param <T> what it is answered with
 */
final class PendingRequest<T extends @Nullable Object> {

    final Request request;
    final CompletableFuture<T> answer = new CompletableFuture<>();
    /** As of {@link dev.ratchet.store.transaction.CommitRequest#toldAtOnce}. */
    final boolean toldAtOnce;

    private final Function<Response, T> read;
    private final AtomicReference<@Nullable StreamAttempt> link = new AtomicReference<>();

    PendingRequest(Request request, Function<Response, T> read) {
        this(request, read, false);
    }

    PendingRequest(Request request, Function<Response, T> read, boolean toldAtOnce) {
        this.request = request;
        this.read = read;
        this.toldAtOnce = toldAtOnce;
    }

    long id() {
        return request.getId();
    }

    boolean isCommit() {
        return request.hasCommit();
    }

    /** Whether it is under way on some link. */
    boolean given() {
        return link.get() != null;
    }

    /** Whether it was under way on a link that is not {@code current}, and so on none any more. */
    boolean lostBefore(StreamAttempt current) {
        StreamAttempt last = link.get();
        return last != null && last != current;
    }

    /** True for the first call with this link. */
    boolean giveTo(StreamAttempt next) {
        return link.getAndSet(next) != next;
    }

    /** Completes it with what the store says, or with what is wrong with that. */
    void answer(Response response) {
        T value;
        try {
            value = read.apply(response);
        } catch (RuntimeException unexpected) {
            answer.completeExceptionally(unexpected);
            return;
        }
        answer.complete(value);
    }
}
