/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.coordinator.Coordinator.NotCoordinatorException;
import dev.ratchet.membership.coordinator.Term.DeposedException;
import dev.ratchet.membership.seat.CommandReceiver.StaleCommandException;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Answers unary calls with the outcome of futures: what the caller did wrong, and what it should try again. */
final class CallAnswers {

    private CallAnswers() {}

    static <T> void complete(CompletableFuture<T> outcome, StreamObserver<T> responses) {
        outcome.whenComplete((answer, failure) -> {
            if (failure != null) {
                responses.onError(status(failure).asRuntimeException());
            } else {
                GuardedCallbacks.or(
                        () -> {
                            responses.onNext(answer);
                            responses.onCompleted();
                        },
                        unexpected -> responses.onError(status(unexpected).asRuntimeException()));
            }
        });
    }

    static Status status(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        @Nullable String message = cause.getMessage();
        if (cause instanceof NotCoordinatorException
                || cause instanceof DeposedException
                || cause instanceof StaleCommandException) {
            return Status.FAILED_PRECONDITION.withDescription(message);
        }
        if (cause instanceof IllegalArgumentException) {
            return Status.INVALID_ARGUMENT.withDescription(message);
        }
        return Status.UNAVAILABLE
                .withDescription("The store did not answer as needed: " + cause)
                .withCause(cause);
    }
}
