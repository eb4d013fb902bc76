/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Sessions: exclusive slots of named resources on one worker, granted in the order of asking. The doors are
 * {@link dev.ratchet.futures.session.SessionRequests} for clients and {@link dev.ratchet.futures.session.SessionHolder}
 * for the worker that holds them.
 */
@NullMarked
package dev.ratchet.futures.session;

import org.jspecify.annotations.NullMarked;
