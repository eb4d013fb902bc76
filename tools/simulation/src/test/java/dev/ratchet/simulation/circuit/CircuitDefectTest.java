/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.StateDisk;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether the scenarios would notice: each planted defect fails one of the first seeds, all of which hold without. */
class CircuitDefectTest {

    @TempDir
    private Path directory;

    private int runs;

    private static final long SEEDS = 240;

    @ParameterizedTest
    @EnumSource
    void aPlantedDefectIsFound(PlantedDefect defect) {
        Optional<Throwable> found = Optional.empty();
        for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
            found = failure(seed, defect);
        }
        assertThat(found).as("what seeds 1 to " + SEEDS + " find").isPresent();
    }

    @Test
    void whatComesBetweenBreaksNothingByItself() {
        for (long seed = 1; seed <= SEEDS / 16; seed++) {
            assertThat(failure(seed, new CircuitDefects() {}))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    /** P6: what a machine has lost is told, or computed again from all input; nobody goes on without it. */
    @Test
    void aLostStateIsNeverTakenForAnEmptyOne() {
        int told = 0;
        for (long seed = 1; seed <= SEEDS / 16; seed++) {
            Optional<Throwable> failure = failure(seed, new CircuitDefects() {
                @Override
                public StateDisk of(StateDisk disk) {
                    return new EmptiedDisk(disk);
                }
            });
            failure.ifPresent(found -> assertThat(found).hasMessageStartingWith("The state is lost"));
            told += failure.isPresent() ? 1 : 0;
        }
        assertThat(told).as("seeds that lose a state").isPositive();
    }

    private Optional<Throwable> failure(long seed, CircuitDefects defect) {
        CircuitScenario scenario = new CircuitScenario(seed, true, defect, directory.resolve("" + runs++));
        try {
            scenario.tell();
            return Optional.empty();
        } catch (RuntimeException | AssertionError failed) {
            return Optional.of(failed);
        } finally {
            scenario.end();
        }
    }
}
