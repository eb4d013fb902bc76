/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The real FoundationDB: the only package that touches its native library, and only when configured. */
@NullMarked
package dev.ratchet.store.foundationdb;

import org.jspecify.annotations.NullMarked;
