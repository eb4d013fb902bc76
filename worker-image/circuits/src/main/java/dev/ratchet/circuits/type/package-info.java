/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What a row is made of: column types, how values are stored in longs and bytes, their order and their one pinned hash.
 */
@NullMarked
package dev.ratchet.circuits.type;

import org.jspecify.annotations.NullMarked;
