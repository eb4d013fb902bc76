/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

/**
 * Where a recursion stands within a step: counted from 0 and only upward, with gaps. Each worker thread has its own.
 */
public final class Iteration {

    private int number;

    public int number() {
        return number;
    }

    void set(int value) {
        number = value;
    }
}
