/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.query.RefusedException;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.Status;
import java.util.concurrent.CompletionException;

/** What a caller over gRPC is told of what the circuit does not do. */
final class CircuitRefusals {

    private CircuitRefusals() {}

    /** A status for what has one of its own; else the failure as it is. */
    static Throwable told(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case RefusedException refused ->
                status(refused)
                        .withDescription(refused.getMessage() + "; " + refused.remedy())
                        .asRuntimeException();
            case InputFullException full ->
                Status.RESOURCE_EXHAUSTED
                        .withDescription(full.getMessage())
                        .asRuntimeException(RetryAfter.trailers(full.retryMillis()));
            default -> cause;
        };
    }

    private static Status status(RefusedException refused) {
        return switch (refused.reason()) {
            case NOT_RUNNING, BUSY -> Status.UNAVAILABLE;
            case NO_SUCH_RELATION, MISTAKE, TOO_LARGE, TOO_LONG -> Status.INVALID_ARGUMENT;
            case EXPIRED -> Status.OUT_OF_RANGE;
        };
    }
}
