/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Sessions: exclusive slots of named resources on one worker, granted in the order of asking. The doors are
 * {@link dev.ratchet.futures.session.SessionRequests} for clients,
 * {@link dev.ratchet.futures.session.SessionSlotsService} for other workers and
 * {@link dev.ratchet.futures.session.SessionHolder} for the worker that holds them, all of whose changes are those of a
 * {@code SessionRound}: it takes slots back and gives them away in one transaction, one round after the other.
 */
@NullMarked
package dev.ratchet.futures.session;

import org.jspecify.annotations.NullMarked;
