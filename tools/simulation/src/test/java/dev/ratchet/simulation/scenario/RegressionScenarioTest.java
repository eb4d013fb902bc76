/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import java.util.stream.LongStream;

/** The scenarios of seeds that once found a defect, told whatever seeds are asked for, and as they were told then. */
class RegressionScenarioTest extends Scenarios {

    static LongStream seeds() {
        return LongStream.of(3646, 4207, 9593, 9880, 40539, 3826, 9300, 5780);
    }

    /** Found before there was another program, and speculation. */
    @Override
    Scenario scenario(long seed) {
        Scenario scenario = super.scenario(seed);
        return new Scenario(
                seed,
                scenario.faultEvents().stream()
                        .filter(faultEvent -> !faultEvent.isLaterAddition())
                        .toList(),
                scenario.defects());
    }
}
