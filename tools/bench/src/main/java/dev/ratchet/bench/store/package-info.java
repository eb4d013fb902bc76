/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What the store does per second, in process and served over loopback. */
@NullMarked
package dev.ratchet.bench.store;

import org.jspecify.annotations.NullMarked;
