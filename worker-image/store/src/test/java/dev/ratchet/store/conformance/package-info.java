/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What every backend must do alike: recorded behaviour, invariants, and a naive second model. */
@NullMarked
package dev.ratchet.store.conformance;

import org.jspecify.annotations.NullMarked;
