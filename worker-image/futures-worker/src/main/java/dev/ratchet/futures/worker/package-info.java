/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** One worker put together of the packages below, with its life as membership wants it. */
@NullMarked
package dev.ratchet.futures.worker;

import org.jspecify.annotations.NullMarked;
