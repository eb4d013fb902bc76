/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * A store in another process as a {@link dev.ratchet.store.transaction.StoreConnection}: one stream that carries
 * everything, made again when it breaks, with a known end for every commit that was under way.
 */
@NullMarked
package dev.ratchet.store.remote;

import org.jspecify.annotations.NullMarked;
