/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.fail;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole clusters of membership and futures under faults made from a seed: every rule after every event, and every
 * accepted future with its right outcome in the end. More seeds: {@code -Dratchet.seeds=10000}; others:
 * {@code -Dratchet.firstSeed=10001}.
 *
 * <p>A process tells one scenario at a time, and two processes half of them each: a lock of the JDK that two worlds
 * want is given to a virtual thread, which only the world that waits behind it could run.
 */
abstract class Scenarios {

    private static final int TELLINGS_TO_SHRINK = Integer.getInteger("ratchet.tellings", 200);

    /** The seeds that were asked for and are {@code remainder} modulo 2. */
    static LongStream seedsOf(int remainder) {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.seeds", 150))
                .filter(seed -> seed % 2 == remainder);
    }

    Scenario scenario(long seed) {
        return Scenario.of(seed);
    }

    @ParameterizedTest(name = "seed {0}", allowZeroInvocations = true)
    @MethodSource("seeds")
    void whateverHappensEveryRuleHoldsAndEveryAcceptedFutureEnds(long seed) {
        Scenario scenario = scenario(seed);
        if (scenario.tell().failure().isPresent()) {
            fail(scenario.explain(TELLINGS_TO_SHRINK));
        }
    }
}
