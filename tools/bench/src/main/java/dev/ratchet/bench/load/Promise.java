/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.client.AwaitTimeoutException;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.TaskFailedException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an acknowledged future must come to. Travels as a line of text from the client that got the acknowledgement, and
 * is judged by whoever has an outcome.
 *
 * @param counted whether the task counts its own results in the store
 * @param first the value; of BYTES the seed; of CALL the number of the actor
 * @param second of BYTES the length; of CALL the tag that the call leaves
 */
record Promise(FutureId id, Kind kind, boolean counted, long first, long second) {

    /** How a future ends. */
    enum Kind {
        /** With a number. */
        VALUE,
        /** With pseudo-random bytes. */
        BYTES,
        /** With the failure that its code always throws. */
        FAILURE,
        /** Cancelled. */
        CANCELLATION,
        /** With a number, or cancelled: nobody lived to tell which. */
        EITHER,
        /** With the place of its tag in the state of an actor. */
        CALL
    }

    /** What a future has come to. */
    enum Ending {
        REALIZED,
        FAILED,
        CANCELLED,
        /** Nobody knows yet. */
        UNKNOWN
    }

    static Promise value(FutureId id, long value, boolean counted) {
        return new Promise(id, Kind.VALUE, counted, value, 0);
    }

    Promise as(Kind other) {
        return new Promise(id, other, counted, first, second);
    }

    static Promise parse(String[] words) {
        return new Promise(
                FutureId.parse(words[0]),
                Kind.valueOf(words[1]),
                Boolean.parseBoolean(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
    }

    /** What {@link #parse} reads. */
    String line() {
        return id + " " + kind + " " + counted + " " + first + " " + second;
    }

    static Ending ending(@Nullable Throwable failure) {
        if (failure == null) {
            return Ending.REALIZED;
        }
        if (failure instanceof FutureCancelledException) {
            return Ending.CANCELLED;
        }
        return failure instanceof ConnectionException || failure instanceof AwaitTimeoutException
                ? Ending.UNKNOWN
                : Ending.FAILED;
    }

    /** What is wrong with an outcome, null if it is as promised. */
    @Nullable
    String complaint(@Nullable Object value, @Nullable Throwable failure) {
        Ending ending = ending(failure);
        boolean kept =
                switch (kind) {
                    case VALUE -> Objects.equals(value, first);
                    case BYTES -> value instanceof byte[] bytes && Arrays.equals(bytes, Tasks.bytes(first, second));
                    case FAILURE -> failure instanceof TaskFailedException;
                    case CANCELLATION -> ending == Ending.CANCELLED;
                    case EITHER -> ending == Ending.CANCELLED || Objects.equals(value, first);
                    case CALL -> value instanceof Long;
                };
        return kept || ending == Ending.UNKNOWN
                ? null
                : line() + " has come to " + (failure == null ? describe(value) : failure);
    }

    private static String describe(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
    }
}
