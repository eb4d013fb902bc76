/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the store knows of a future at one moment.
 *
 * @param parent the future whose code has submitted it
 * @param attempts attempts that count; at most {@code maxRetries} + 1
 * @param recomputed how often a lost result was computed again
 * @param seat the worker that claimed it last
 * @param claimed when that was
 * @param valueBytes size of the result; 0 if there is none
 * @param holders the workers that hold the result; empty where it is kept in the store
 * @param failure what the last failed attempt failed with; absent if none has failed. In listings it is cut after 200
 *     characters
 * @param waitsFor what a future waits for that has not started, for people; absent in listings
 * @param progress what the attempt that runs has said last of how far it is, if it has said anything and its worker
 *     answers
 */
public record FutureInfo(
        FutureId id,
        FutureState state,
        String name,
        String job,
        String tenant,
        int priority,
        Optional<FutureId> parent,
        int attempts,
        int maxRetries,
        int recomputed,
        Optional<String> seat,
        Instant submitted,
        Optional<Instant> claimed,
        Optional<Instant> done,
        long valueBytes,
        List<String> holders,
        Optional<String> failure,
        Optional<String> waitsFor,
        Optional<Progress> progress) {

    public FutureInfo {
        holders = List.copyOf(holders);
    }
}
