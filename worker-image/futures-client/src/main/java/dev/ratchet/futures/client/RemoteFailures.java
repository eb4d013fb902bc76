/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.FutureNotFoundException;
import dev.ratchet.client.ObjectLostException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SessionClosedException;
import dev.ratchet.client.SessionFailedException;
import dev.ratchet.client.SessionHandedOverException;
import dev.ratchet.client.TaskFailedException;
import dev.ratchet.client.UpstreamDependencyFailedException;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;

/** Outcomes without a value as the exceptions that users see. */
final class RemoteFailures {

    private RemoteFailures() {}

    static RatchetException of(FutureId id, Outcome outcome) {
        return switch (outcome.getState()) {
            case STATE_CANCELLED ->
                outcome.getFailure().getKind() == FailureKind.FAILURE_KIND_SESSION
                        ? ofSession(outcome.getFailure())
                        : new FutureCancelledException("The future " + id + " was cancelled.");
            case STATE_FAILED -> failed(id, outcome);
            default ->
                new FutureNotFoundException(
                        "No future has the id " + id + ". It was never submitted here, or was deleted.");
        };
    }

    private static RatchetException ofSession(Failure failure) {
        String reason = failure.getType().substring(SessionIds.FAILURE_TYPE.length());
        return switch (reason) {
            case "UNKNOWN", "CLOSED" -> new SessionClosedException(failure.getMessage());
            case "HANDED_OVER" -> new SessionHandedOverException(failure.getMessage());
            default -> new SessionFailedException(failure.getMessage(), RemoteSessions.reason(reason));
        };
    }

    private static RatchetException failed(FutureId id, Outcome outcome) {
        Failure failure = outcome.getFailure();
        return switch (failure.getKind()) {
            case FAILURE_KIND_UPSTREAM ->
                new UpstreamDependencyFailedException(
                        "The future " + id + " was not run, because one that it depends on has no value: "
                                + failure.getMessage(),
                        failure.getUpstream().size() == Ids.BYTES ? Ids.of(failure.getUpstream()) : id);
            case FAILURE_KIND_SESSION -> ofSession(failure);
            case FAILURE_KIND_OBJECT_LOST -> new ObjectLostException(failure.getMessage());
            default ->
                new TaskFailedException(
                        "The future " + id + " failed after " + outcome.getAttempts()
                                + (outcome.getAttempts() == 1 ? " attempt" : " attempts") + ", the last on "
                                + failure.getSeat() + ": " + Failures.text(failure),
                        failure.getType(),
                        failure.getStackTrace(),
                        outcome.getAttempts());
        };
    }
}
