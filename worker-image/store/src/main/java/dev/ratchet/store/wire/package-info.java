/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What server and client of a store share: the protocol's version and limits, the translation between the calls of
 * {@link dev.ratchet.store.transaction.StoreConnection} and messages, and how messages become frames.
 */
@NullMarked
package dev.ratchet.store.wire;

import org.jspecify.annotations.NullMarked;
