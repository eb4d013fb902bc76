/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole circuits on clusters in virtual time: whatever happens, views and errors change step by step as in one process.
 * More seeds: {@code -Dratchet.circuitSeeds=1000}; others: {@code -Dratchet.firstSeed=4711}.
 */
class CircuitSeedsTest {

    private static final int SEEDS = Integer.getInteger("ratchet.circuitSeeds", 60);

    private static final Set<CircuitFaults.Fault> HAPPENED = EnumSet.noneOf(CircuitFaults.Fault.class);

    @TempDir
    private Path directory;

    private int runs;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverHappensOutputsAreThoseOfOneProcess(long seed) {
        run(seed, true);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {3, 4})
    void withoutFaultsOutputsAreThoseOfOneProcess(long seed) {
        run(seed, false);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6})
    void twoRunsOfOneSeedAreEqual(long seed) {
        assertThat(run(seed, true)).isEqualTo(run(seed, true));
    }

    @Test
    void errorsComeAndAreTakenBack() {
        List<String> errors = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++) {
            run(seed, false, errors);
        }
        assertThat(errors).as("rows that do not parse").anyMatch(error -> error.startsWith("-1 table t, producer p"));
        assertThat(errors)
                .as("errors that go with their rows")
                .anyMatch(error -> error.contains("zero") && error.contains(" x-"))
                .anyMatch(error -> error.contains("TINYINT") && error.contains(" x-"));
    }

    /** Few seeds have what they have. */
    @AfterAll
    static void everyFaultHasHappened() {
        if (SEEDS >= 60) {
            assertThat(HAPPENED).as("what has happened to clusters").containsExactly(CircuitFaults.Fault.values());
        }
    }

    private long run(long seed, boolean faulty) {
        return run(seed, faulty, new ArrayList<>());
    }

    private long run(long seed, boolean faulty, List<String> errors) {
        CircuitScenario scenario =
                new CircuitScenario(seed, faulty, CircuitDefects.NONE, directory.resolve("" + runs++));
        try {
            scenario.tell();
            errors.addAll(scenario.errors());
            HAPPENED.addAll(scenario.happened());
            return scenario.digest();
        } finally {
            scenario.end();
        }
    }
}
