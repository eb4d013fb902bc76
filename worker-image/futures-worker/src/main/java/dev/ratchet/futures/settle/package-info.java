/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How attempts end: their outcomes are recorded once, what waited for them is released, and who asked is told. The
 * lowest of the packages that work on futures: a record is read and decided here, by whoever has ended an attempt.
 */
@NullMarked
package dev.ratchet.futures.settle;

import org.jspecify.annotations.NullMarked;
