/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.network.Network;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are told before they are recorded, and what happens between; every rule is looked at throughout. */
class SpeculationScenarioTest {

    private static final SimulatedTask VARYING = new SimulatedTask(900, 1, SimulatedTask.Kind.VARIES);

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private SimulatedProgram program;

    @BeforeEach
    void start() {
        futures = new FuturesCluster(1, 3, directory);
        program = new SimulatedProgram(futures.cluster, "program", new HashSet<>());
    }

    @AfterEach
    void close() {
        futures.close();
    }

    /** Who has told the value, which nobody can record. */
    private SimulatedWorker told() {
        futures.workers.forEach(worker -> futures.cluster.network.cut(worker.process(), Network.STORE));
        program.speculate(VARYING, 1);
        futures.cluster.world.until(
                "the value is told", 2_000, () -> !program.told().isEmpty());
        assertThat(program.ends()).isEmpty();
        assertThat(program.told()).containsValue(VARYING.element(1).valueAt(1));
        return futures.workers.stream()
                .filter(worker -> worker.process()
                        == futures.executions.of(VARYING.element(1)).getLast().process())
                .findFirst()
                .orElseThrow();
    }

    /** What the others send to the store arrives again; what this one has sent never does. */
    private void healAllBut(SimulatedWorker teller) {
        futures.workers.stream()
                .filter(worker -> worker != teller)
                .forEach(worker -> futures.cluster.network.heal(worker.process(), Network.STORE));
    }

    private Object awaited() throws Exception {
        futures.cluster.world.until("the record is known", 60_000, program::isDone);
        SimulatedProgram.Mapped one = program.speculated().getFirst();
        Object recorded = CodeReader.read(
                futures.record(one.id()).getResult().getInline().toByteArray(),
                getClass().getClassLoader());
        assertThat(program.end(one).value()).as("what was awaited").isEqualTo(recorded);
        assertThat(program.told().get(one.id()))
                .as("what was told stays")
                .isEqualTo(VARYING.element(1).valueAt(1));
        return recorded;
    }

    @Test
    void whatWasToldByAWorkerThatDiesBeforeItsCommitIsSubmittedAgain() throws Exception {
        SimulatedWorker teller = told();
        teller.kill();
        healAllBut(teller);
        assertThat(awaited()).isEqualTo(VARYING.element(1).valueAt(2));
    }

    @Test
    void whatWasToldByAWorkerThatLosesItsSeatIsSubmittedAgain() throws Exception {
        healAllBut(told());
        assertThat(awaited()).isEqualTo(VARYING.element(1).valueAt(2));
    }

    @Test
    void whatIsRecordedAfterAllIsWhatWasTold() throws Exception {
        told();
        futures.cluster.network.healAll();
        assertThat(awaited()).isEqualTo(VARYING.element(1).valueAt(1));
    }
}
