/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

/**
 * Something in the store that no sequence of committed transactions may leave behind.
 *
 * @param key where, as {@code ratchet keys} writes it
 * @param message what is wrong, with the values
 */
public record Violation(String key, String message) {

    @Override
    public String toString() {
        return key + ": " + message;
    }
}
