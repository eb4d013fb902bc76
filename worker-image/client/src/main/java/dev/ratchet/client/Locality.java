/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.Optional;

/**
 * Where a task would best run.
 *
 * @param near beside the result of this future
 * @param seat on the worker of this name
 * @param required whether it may run nowhere else; otherwise any worker takes it when that one is gone
 */
public record Locality(Optional<FutureId> near, Optional<String> seat, boolean required) {

    private static final Locality ANYWHERE = new Locality(Optional.empty(), Optional.empty(), false);

    /** @throws InvalidInputException if both places are given, or none is and one is required */
    public Locality {
        if (near.isPresent() && seat.isPresent()) {
            throw new InvalidInputException("A task runs near a future or on a seat, not both: near=" + near.get()
                    + " seat=" + seat.get() + ".");
        }
        if (required && near.isEmpty() && seat.isEmpty()) {
            throw new InvalidInputException("A required locality names a future or a seat.");
        }
    }

    /** On any worker. */
    public static Locality anywhere() {
        return ANYWHERE;
    }

    /** Beside the result of a future, if it is in an object store. */
    public static Locality near(FutureId future) {
        return new Locality(Optional.of(future), Optional.empty(), false);
    }

    /** On one worker. */
    public static Locality onSeat(String seat) {
        return new Locality(Optional.empty(), Optional.of(seat), false);
    }

    /** The same place, and no other. */
    public Locality withRequired() {
        return new Locality(near, seat, true);
    }
}
