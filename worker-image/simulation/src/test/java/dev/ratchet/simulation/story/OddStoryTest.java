/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import java.util.stream.LongStream;

/** The stories of odd seeds. */
class OddStoryTest extends Stories {

    static LongStream seeds() {
        return seedsOf(1);
    }
}
