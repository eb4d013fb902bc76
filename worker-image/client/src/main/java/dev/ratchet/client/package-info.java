/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The user API: interfaces and records only. */
@NullMarked
package dev.ratchet.client;

import org.jspecify.annotations.NullMarked;
