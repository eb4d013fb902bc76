/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Status;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * This process and the other side do not come together, because one of them refuses what the other shows: a
 * certificate, a token, TLS or its absence. Repeating helps only once a credential has changed. The message is one line
 * that names the address, what was refused, why, and the remedy. It is the cause in the status of every call that
 * failed so over a channel of {@link TransportSecurity}.
 */
public final class RefusedConnectionException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedConnectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Why a call ended with {@code status}, in one line: the refusal if it was one, else code and description. */
    public static String reason(Status status) {
        return in(status.getCause())
                .map(Throwable::getMessage)
                .orElseGet(() -> status.getCode() + ": " + status.getDescription());
    }

    /** The refusal that {@code failure} is or was caused by. */
    public static Optional<RefusedConnectionException> in(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedConnectionException refused) {
                return Optional.of(refused);
            }
        }
        return Optional.empty();
    }
}
