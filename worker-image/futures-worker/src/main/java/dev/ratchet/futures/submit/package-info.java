/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What is asked from outside: records new futures and values, refuses what can not be recorded, registers who waits.
 */
@NullMarked
package dev.ratchet.futures.submit;

import org.jspecify.annotations.NullMarked;
