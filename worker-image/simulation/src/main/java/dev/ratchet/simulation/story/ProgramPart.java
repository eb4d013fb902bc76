/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.simulation.check.Checks;
import dev.ratchet.simulation.cluster.Executions;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What the user's program does in a telling, and what must come of it. It starts with the first thing it does. */
final class ProgramPart {

    private static final int NUMBERS_OF_MAPS = 1_000;
    private static final int NUMBERS_OF_HELD = 500;

    /** What only the program held must be gone so long after its end: its lease, and two sweeps. */
    private static final long FORGOTTEN_MILLIS = 240_000;

    private final SimulatedCluster cluster;
    private final Executions executions;
    private final Checks checks;
    private final Set<FutureId> cancelled = new HashSet<>();
    private @Nullable SimulatedProgram program;
    private boolean holds;
    private boolean clocksWereAhead;

    ProgramPart(SimulatedCluster cluster, Executions executions, Checks checks) {
        this.cluster = cluster;
        this.executions = executions;
        this.checks = checks;
    }

    private SimulatedProgram program() {
        SimulatedProgram present = program;
        if (present == null) {
            present = new SimulatedProgram(cluster);
            program = present;
        }
        return present;
    }

    void map(Happening happening, SimulatedTask.Kind kind) {
        int number = NUMBERS_OF_MAPS * (1 + happening.which());
        program().map(new SimulatedTask(executions.id(), number, happening.millis(), kind), happening.other());
    }

    void hold(Happening happening) {
        holds = true;
        program()
                .hold(new SimulatedTask(
                        executions.id(), NUMBERS_OF_HELD, happening.millis(), SimulatedTask.Kind.LARGE));
    }

    /**
     * Retention is counted on the clock of the worker that records the result: what one keeps can last an hour longer.
     */
    void clockIsAhead() {
        clocksWereAhead = true;
    }

    void cancel(int which) {
        program().cancel(which).ifPresent(cancelled::add);
    }

    void kill() {
        program().kill();
    }

    boolean isDone() {
        return program == null || program.isDone();
    }

    /** What it waits for. */
    List<FutureId> pending() {
        return program == null
                ? List.of()
                : program.mapped().stream()
                        .map(mapped -> mapped.future().id())
                        .filter(id -> !program.ends().containsKey(id))
                        .toList();
    }

    /** What the program was told must be right. */
    void requireRight() {
        if (program == null || program.isDead()) {
            return;
        }
        for (SimulatedProgram.Mapped mapped : program.mapped()) {
            FutureId id = mapped.future().id();
            SimulatedProgram.End end = program.ends().get(id);
            boolean right = end != null
                    && end.failure()
                            .map(failure -> isCancellation(failure) && cancelled.contains(id))
                            .orElse(mapped.task().value(0).equals(end.value()));
            checks.outcome(right, "task " + mapped.task() + " ended for its program as " + end);
        }
    }

    private static boolean isCancellation(Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure)
                instanceof FutureCancelledException;
    }

    /** The program ends without a word: what nobody else needs goes, too. */
    void end() {
        SimulatedProgram present = program;
        if (present != null && holds && !clocksWereAhead) {
            present.kill();
            cluster.world.until(
                    "what only the program held is gone",
                    FORGOTTEN_MILLIS,
                    () -> checks.clients() == 0 && present.held().stream().noneMatch(checks::exists));
        }
    }
}
