/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.TransportSecurity;

/**
 * As whom a process uses a store in another process.
 *
 * @param security how it proves that
 * @param self who it is; must be what its certificate says
 * @param release of Ratchet, for the store's log
 */
public record Access(TransportSecurity security, Identity self, String release) {}
