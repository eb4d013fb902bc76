/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The keys and values of membership in the store, and how they are read and written. */
@NullMarked
package dev.ratchet.membership.record;

import org.jspecify.annotations.NullMarked;
