/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

import java.util.List;

/**
 * What a wait has found, each list in the order of the argument of the wait.
 *
 * @param done futures whose outcome is known, be it a value, a failure or a cancellation
 * @param pending the others
 */
public record Awaited<T>(List<DurableFuture<T>> done, List<DurableFuture<T>> pending) {

    public Awaited {
        done = List.copyOf(done);
        pending = List.copyOf(pending);
    }
}
