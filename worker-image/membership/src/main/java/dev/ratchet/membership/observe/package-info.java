/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** What this process sees of the other seats: who is alive, by its own clock and by connections. */
@NullMarked
package dev.ratchet.membership.observe;

import org.jspecify.annotations.NullMarked;
