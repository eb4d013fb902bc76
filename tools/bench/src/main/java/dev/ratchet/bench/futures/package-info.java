/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What futures cost: on a store, workers and a client that are processes of their own, beside what others cost. */
@NullMarked
package dev.ratchet.bench.futures;

import org.jspecify.annotations.NullMarked;
