/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The client API over any worker's gateway. */
@NullMarked
package dev.ratchet.futures.client;

import org.jspecify.annotations.NullMarked;
