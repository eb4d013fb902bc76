/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

class NaiveStateDatabaseTest extends StateConformance {
    @Override
    StateDatabase create(long seed) {
        return new NaiveStateDatabase();
    }
}
