/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** Which release of Ratchet this is. */
@NullMarked
package dev.ratchet.protocol.release;

import org.jspecify.annotations.NullMarked;
