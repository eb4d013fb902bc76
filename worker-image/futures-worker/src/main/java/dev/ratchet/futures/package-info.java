/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Durable futures: lifecycle, claims, code, object store, gateway. The door is
 * {@link dev.ratchet.futures.FuturesEngine}.
 */
@NullMarked
package dev.ratchet.futures;

import org.jspecify.annotations.NullMarked;
