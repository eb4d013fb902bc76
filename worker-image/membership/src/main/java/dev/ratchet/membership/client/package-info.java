/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/** The leases of clients: who is connected, who is away for a moment, and whose lease is over. */
@NullMarked
package dev.ratchet.membership.client;

import org.jspecify.annotations.NullMarked;
