/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Nexmark: an auction house whose people, auctions and bids are generated, and the questions q0 to q22 about it. Knows
 * no engine and needs nothing but Java, so that each engine that is measured can read the same changes.
 */
@NullMarked
package dev.ratchet.bench.nexmark;

import org.jspecify.annotations.NullMarked;
