/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The events of Nexmark, an auction house whose people, auctions and bids are generated. Needs nothing but Java, so
 * that each engine that is measured can read the same events.
 */
@NullMarked
package dev.ratchet.circuits.nexmark;

import org.jspecify.annotations.NullMarked;
