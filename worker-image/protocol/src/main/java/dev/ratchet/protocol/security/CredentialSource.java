/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

/** Where the credential of the next handshake comes from. Safe for use by several threads; does not throw. */
@FunctionalInterface
interface CredentialSource {
    Credential current();
}
