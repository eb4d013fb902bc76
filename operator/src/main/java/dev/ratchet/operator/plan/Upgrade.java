/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

/**
 * Owns where an upgrade stands.
 *
 * @param current revision that all workers had last; "" for none
 * @param update revision that the spec asks for; "" for none
 */
public record Upgrade(String current, String update) {
    /** Nothing runs. */
    public static final Upgrade NONE = new Upgrade("", "");
}
