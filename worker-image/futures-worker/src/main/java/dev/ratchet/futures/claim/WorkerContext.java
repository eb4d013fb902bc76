/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.claim;

import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;

/**
 * What every part of a worker stands on.
 *
 * @param store where all is recorded
 * @param seat in whose name
 * @param members who else has a seat, as the store says
 * @param liveness who of them lives, as far as is observed
 */
public record WorkerContext(FutureStore store, Seat seat, Members members, Liveness liveness) {}
