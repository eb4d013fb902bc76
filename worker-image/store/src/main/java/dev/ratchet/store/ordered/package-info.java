/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** An ordered map from byte strings whose every version stays readable: the shape of both the data and a write set. */
@NullMarked
package dev.ratchet.store.ordered;

import org.jspecify.annotations.NullMarked;
