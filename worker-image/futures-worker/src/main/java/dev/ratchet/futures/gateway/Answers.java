/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.environment.GuardedCallbacks;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Turns futures into the ends of calls. */
final class Answers {

    private Answers() {}

    /** As {@link #answer(CompletableFuture, StreamObserver)}, where the request may be refused at once, too. */
    static <T> void answer(Supplier<CompletableFuture<T>> call, StreamObserver<T> client) {
        answer(GuardedCallbacks.begin(call), client);
    }

    /** Answers with the value, or with the status that fits the failure. */
    static <T> void answer(CompletableFuture<T> value, StreamObserver<T> client) {
        var unused = value.whenComplete((result, failure) -> {
            if (failure != null) {
                client.onError(status(failure));
            } else {
                orFail(client, () -> {
                    client.onNext(result);
                    client.onCompleted();
                });
            }
        });
    }

    /** An answer that can not be given ends the call, so that its client makes it again. */
    static void orFail(StreamObserver<?> client, Runnable answering) {
        GuardedCallbacks.or(answering, unexpected -> client.onError(status(unexpected)));
    }

    /** What the caller did wrong is INVALID_ARGUMENT; everything else may be tried again elsewhere. */
    static StatusRuntimeException status(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case StatusRuntimeException status -> status;
            case StatusException status -> status.getStatus().asRuntimeException();
            case IllegalArgumentException refused ->
                Status.INVALID_ARGUMENT.withDescription(refused.getMessage()).asRuntimeException();
            default -> Status.UNAVAILABLE.withDescription(cause.toString()).asRuntimeException();
        };
    }
}
