/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.OptionalLong;

/** How a server that refuses a call for now says when to try again, in the trailer that gRPC has for it. */
public final class RetryAfter {

    private static final Metadata.Key<String> MILLIS =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);
    private static final long MILLIS_MAX = 60_000;

    private RetryAfter() {}

    /** What goes with the status RESOURCE_EXHAUSTED of a call that may be made again after {@code millis}. */
    public static Metadata trailers(long millis) {
        Metadata trailers = new Metadata();
        trailers.put(MILLIS, Long.toString(millis));
        return trailers;
    }

    /** When the server that refused a call with this failure wants it again; nothing if it has not said so. */
    public static OptionalLong millis(Throwable failure) {
        Metadata trailers = Status.trailersFromThrowable(failure);
        String said = trailers == null ? null : trailers.get(MILLIS);
        if (said == null || Status.fromThrowable(failure).getCode() != Status.Code.RESOURCE_EXHAUSTED) {
            return OptionalLong.empty();
        }
        try {
            long millis = Long.parseLong(said);
            return millis < 0 ? OptionalLong.empty() : OptionalLong.of(Math.min(MILLIS_MAX, millis));
        } catch (NumberFormatException malformed) {
            return OptionalLong.empty();
        }
    }
}
