/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.InputSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * What is around a circuit besides producers and readers: a folder of input files, a clock, outputs that are files, and
 * a feed. Each file, tick and change counts exactly once.
 */
final class CircuitEdges {

    private static final String FILES_VIEW = "files";

    /** To be added to a program that has a table {@code t (k, v)} and a view {@code v0}. */
    static final String PROGRAM = " CREATE TABLE " + CircuitFolders.TABLE + " (k INT NOT NULL, v INT NOT NULL);"
            + " CREATE TABLE " + CircuitClock.TABLE + " (ticked_at TIMESTAMP NOT NULL);"
            + " CREATE VIEW " + FILES_VIEW + " AS SELECT f.k, COUNT(*) AS n, SUM(t.v) AS s FROM "
            + CircuitFolders.TABLE + " LEFT JOIN t ON f.k = t.k GROUP BY f.k;"
            + " CREATE VIEW " + CircuitClock.VIEW + " AS SELECT ticked_at FROM " + CircuitClock.TABLE + ";";

    private final CircuitCluster circuit;
    private final CircuitFolders folders;
    private final CircuitFeed feed;
    private final long intervalMillis;
    private final List<FilesSink> outputs;

    /** @param settings what {@link #in} has made */
    CircuitEdges(CircuitCluster circuit, DataflowSettings settings, Path directory, SplittableRandom random) {
        this.circuit = circuit;
        this.folders = new CircuitFolders(circuit, random, directory);
        this.feed = new CircuitFeed(circuit, FILES_VIEW);
        this.intervalMillis = settings.inputs().stream()
                .mapToLong(input -> input instanceof InputSource.Clock clock ? clock.intervalMillis() : 0)
                .sum();
        this.outputs = settings.outputs();
    }

    /** Settings with all of that. */
    static DataflowSettings in(DataflowSettings settings, Path directory, SplittableRandom random) {
        return new DataflowSettings(
                settings.name(),
                settings.program(),
                settings.suspended(),
                settings.threads(),
                settings.checkpointIntervalMillis(),
                settings.retainedVersions(),
                settings.onError(),
                settings.retainedSteps(),
                settings.decision(),
                List.of(
                        CircuitFolders.source(directory, random),
                        new InputSource.Clock(CircuitClock.TABLE, 1_000 + random.nextInt(4_000))),
                List.of(
                        CircuitFolders.sink(directory, "first", "v0"),
                        CircuitFolders.sink(directory, "second", FILES_VIEW)));
    }

    CircuitFolders folders() {
        return folders;
    }

    int files() {
        return folders.count();
    }

    /** Lets them begin, each file within so long of the one before. */
    void begin(int pauseMillisMax) {
        folders.begin(pauseMillisMax);
        feed.begin();
    }

    /** Until the log has all files. */
    void awaitInput(String what, long withinMillis) {
        await(what + " takes all files", withinMillis, folders::received);
    }

    /** Until all changes up to a step are files and futures. */
    void awaitOutput(String what, long step, long withinMillis) {
        await(what + " has fed step " + step, withinMillis, () -> feed.step() >= step);
        await(what + " has written step " + step, withinMillis, () -> folders.writtenStep(outputs) >= step);
    }

    /** As the world waits, for what is read from the store. */
    private void await(String what, long withinMillis, BooleanSupplier condition) {
        long end = circuit.cluster.world.millis() + withinMillis;
        while (!condition.getAsBoolean()) {
            circuit.retryWhereKillsAreTakenForTheStep();
            if (circuit.cluster.world.millis() > end) {
                throw new AssertionError(what + ": not within " + withinMillis + " ms: "
                        + circuit.dataflow(0).status());
            }
            circuit.cluster.world.run(100);
        }
    }

    /**
     * Compares with what one process does.
     *
     * @param ends position of the input behind each step
     */
    void check(String what, Map<String, Map<Long, OneProcess.Change>> expected, Map<Long, String> ends) {
        CircuitClock.check(circuit.told.of(CircuitClock.VIEW), intervalMillis);
        Map<Long, List<String>> fed = new TreeMap<>();
        expected.get(FILES_VIEW).forEach((step, change) -> fed.put(step, change.rows()));
        assertThat(feed.fed()).as("futures of " + what).isEqualTo(fed);
        for (FilesSink output : outputs) {
            Map<Long, String> written = new TreeMap<>();
            expected.get(output.view()).forEach((step, change) -> written.put(step, change.file()));
            assertThat(folders.seen(output, ends))
                    .as("files of " + output.view() + " of " + what)
                    .isEqualTo(written);
        }
    }
}
