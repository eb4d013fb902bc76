/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import java.util.stream.LongStream;

/** The scenarios of even seeds. */
class EvenScenarioTest extends Scenarios {

    static LongStream seeds() {
        return seedsOf(0);
    }
}
