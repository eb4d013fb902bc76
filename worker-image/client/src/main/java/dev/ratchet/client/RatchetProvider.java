/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.client;

/** Found by {@link java.util.ServiceLoader}: makes connections. Users call {@link Ratchet#connect}. */
public interface RatchetProvider {

    /** See {@link Ratchet#connect}. */
    Ratchet connect(ConnectionOptions options);
}
