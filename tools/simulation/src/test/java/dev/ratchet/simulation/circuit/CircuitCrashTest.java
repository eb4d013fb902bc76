/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker that dies at a commit, of each kind that workers of a circuit make, loses nothing and does nothing twice.
 * More of each: {@code -Dratchet.crashes=100}.
 */
class CircuitCrashTest {

    private static final int CRASHES = Integer.getInteger("ratchet.crashes", 1);

    /** Whose commits there are; every third has feeds, files and clocks around its circuit. */
    private static final int SEEDS = 3 + CRASHES;

    @TempDir
    private static Path directory;

    private static int runs;

    private record Crash(long seed, String tables, int occurrence, boolean isBehind) {}

    /** Before and behind each kind of commit. */
    static Stream<Crash> crashes() {
        SplittableRandom random = new SplittableRandom(SEEDS);
        Map<String, List<Crash>> last = new TreeMap<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            CrashPoint none = new CrashPoint("", 0, false);
            run(seed, none);
            for (Map.Entry<String, Integer> commit : none.seen().entrySet()) {
                last.computeIfAbsent(commit.getKey(), tables -> new ArrayList<>())
                        .add(new Crash(seed, commit.getKey(), commit.getValue(), false));
            }
        }
        return last.values().stream()
                .flatMap(seeds -> IntStream.range(0, 2 * CRASHES).mapToObj(number -> {
                    Crash one = seeds.get(random.nextInt(seeds.size()));
                    return new Crash(one.seed(), one.tables(), 1 + random.nextInt(one.occurrence()), number % 2 == 0);
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("crashes")
    void whoeverDiesAtACommitOutputsAreThoseOfOneProcess(Crash crash) {
        CrashPoint point = new CrashPoint(crash.tables(), crash.occurrence(), crash.isBehind());
        run(crash.seed(), point);
        assertThat(point.isReached()).as("%s", point).isTrue();
    }

    private static void run(long seed, CrashPoint point) {
        CircuitScenario scenario = new CircuitScenario(seed, false, point, directory.resolve("" + runs++));
        try {
            scenario.tell();
        } finally {
            scenario.end();
        }
    }
}
