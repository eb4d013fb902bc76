/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import dev.ratchet.bench.nexmark.ChangeReader;
import dev.ratchet.bench.nexmark.NexmarkEngine;
import dev.ratchet.bench.nexmark.NexmarkJob;
import dev.ratchet.bench.nexmark.NexmarkRuns;
import dev.ratchet.circuits.circuit.Circuit;
import dev.ratchet.circuits.circuit.CircuitOptions;
import dev.ratchet.circuits.sql.SqlProgram;

/** The process that runs queries on circuits: steps of {@value #STEP_CHANGES} changes, outputs read row by row. */
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
        try (Circuit circuit = new Circuit(program.plan(), CircuitOptions.inMemory(job.threads()))) {
            job.begins();
            NexmarkFeed feed = new NexmarkFeed(circuit, job.query());
            ChangeReader changes = new ChangeReader(job.changes());
            long rows = 0;
            int waiting = 0;
            while (changes.next()) {
                feed.add(changes);
                if (++waiting == STEP_CHANGES) {
                    rows += step(circuit, job.query().name());
                    waiting = 0;
                }
            }
            return rows + step(circuit, job.query().name());
        }
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
