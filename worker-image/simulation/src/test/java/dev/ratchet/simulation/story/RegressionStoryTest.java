/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import java.util.stream.LongStream;

/** The stories of seeds that once found a defect, told whatever seeds are asked for. */
class RegressionStoryTest extends Stories {

    static LongStream seeds() {
        return LongStream.of(3646, 4207, 9593, 9880, 40539, 3826, 9300, 5780);
    }
}
