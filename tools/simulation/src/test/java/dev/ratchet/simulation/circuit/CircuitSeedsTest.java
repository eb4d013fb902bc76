/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole circuits on clusters in virtual time: whatever happens, views and errors change step by step as in one process.
 * More seeds: {@code -Dratchet.circuitSeeds=1000}; others: {@code -Dratchet.firstSeed=4711}.
 */
class CircuitSeedsTest {

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.circuitSeeds", 60));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverHappensOutputsAreThoseOfOneProcess(long seed) {
        run(seed, true);
    }

    /** The store is down when the last fault begins, and a worker loses its seat by that a while later. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {766, 805, 967})
    void aWorkerThatIsLostByTheLastFaultIsStartedAgain(long seed) {
        run(seed, true);
    }

    @Test
    void withoutFaultsOutputsAreThoseOfOneProcess() {
        run(3, false);
    }

    @Test
    void twoRunsOfOneSeedAreEqual() {
        assertThat(run(5, true)).isEqualTo(run(5, true));
    }

    private static long run(long seed, boolean faulty) {
        CircuitScenario scenario = new CircuitScenario(seed, faulty, CircuitDefects.NONE);
        try {
            scenario.tell();
            return scenario.digest();
        } finally {
            scenario.end();
        }
    }
}
