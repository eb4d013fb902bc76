/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import java.util.stream.LongStream;

/** The stories of seeds that once found a defect, told whatever seeds are asked for, and as they were told then. */
class RegressionStoryTest extends Stories {

    static LongStream seeds() {
        return LongStream.of(3646, 4207, 9593, 9880, 40539, 3826, 9300, 5780);
    }

    /** Found before there was another program, and speculation. */
    @Override
    Story story(long seed) {
        Story story = super.story(seed);
        return new Story(
                seed,
                story.happenings().stream()
                        .filter(happening -> !happening.isLaterAddition())
                        .toList(),
                story.defects());
    }
}
