/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.NexmarkChangeReader;
import dev.ratchet.bench.nexmark.NexmarkEngine;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.circuit.StepPipeline;
import dev.ratchet.circuits.sql.SqlProgram;

/**
 * The process that runs queries on circuits: steps of {@value #STEP_CHANGES} changes, outputs read row by row. Changes
 * of the next step are read while one is computed, as the sources of peers run beside their operators.
 */
public final class RatchetProcess implements NexmarkEngine {

    static final int STEP_CHANGES = 10_000;

    private RatchetProcess() {}

    /** Arguments: see {@link NexmarkRuns}. */
    public static void main(String[] arguments) throws Exception {
        NexmarkRuns.main(new RatchetProcess(), arguments);
    }

    @Override
    public long run(NexmarkJob job) {
        SqlProgram program = SqlProgram.compile(job.query().program(!job.retractions()));
        String view = job.query().name();
        long[] rows = {0};
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(job.threads()));
                StepPipeline pipeline = new StepPipeline(circuit)) {
            job.begins();
            Runnable count = () -> circuit.visit(view, (row, weight) -> rows[0] += weight);
            NexmarkFeed feed = new NexmarkFeed(circuit, job.query());
            NexmarkChangeReader changes = new NexmarkChangeReader(job.changes());
            int waiting = 0;
            while (changes.next()) {
                feed.add(changes);
                if (++waiting == STEP_CHANGES) {
                    pipeline.await();
                    pipeline.begin(count);
                    waiting = 0;
                }
            }
            pipeline.await();
            pipeline.begin(count);
            pipeline.await();
        }
        return rows[0];
    }

    /** Runs a step and returns how many rows more the view has. */
    static long step(Circuit circuit, String view) {
        circuit.step();
        long[] rows = {0};
        circuit.visit(view, (row, weight) -> rows[0] += weight);
        return rows[0];
    }

    @Override
    public void close() {}
}
