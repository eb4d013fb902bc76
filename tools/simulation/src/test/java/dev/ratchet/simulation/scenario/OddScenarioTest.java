/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import java.util.stream.LongStream;

/** The scenarios of odd seeds. */
class OddScenarioTest extends Scenarios {

    static LongStream seeds() {
        return seedsOf(1);
    }
}
