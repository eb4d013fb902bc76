/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import java.util.stream.LongStream;

/** The stories of even seeds. */
class EvenStoryTest extends Stories {

    static LongStream seeds() {
        return seedsOf(0);
    }
}
