/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedGenerator;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.simulation.check.Checks;
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
    private static final int NUMBERS_OF_CALLS = 600;
    private static final int CALLS_AT_ONCE = 10;
    private static final int NUMBERS_OF_GENERATED = 700;

    /** One call of the actor in so many only reads. */
    private static final int READ_EACH = 3;

    /** What only the program held must be gone so long after its end: its lease, and two sweeps. */
    private static final long FORGOTTEN_MILLIS = 240_000;

    private final SimulatedCluster cluster;
    private final Checks checks;
    private final Set<FutureId> cancelled = new HashSet<>();
    private @Nullable SimulatedProgram program;
    private boolean holds;
    private boolean clocksWereAhead;

    ProgramPart(SimulatedCluster cluster, Checks checks) {
        this.cluster = cluster;
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

    /** Does what happens by the program, and says whether that is so. */
    boolean happen(Happening happening) {
        switch (happening.kind()) {
            case MAP -> map(happening, Kind.SMALL);
            case MAP_FAILS_ONCE -> map(happening, Kind.FAILS_ONCE);
            case HOLD -> hold(happening);
            case CANCEL_MAPPED -> program().cancel(happening.which()).ifPresent(cancelled::add);
            case CALL_ACTOR -> call(happening, Kind.SMALL);
            case CALL_ACTOR_FAILS_ONCE -> call(happening, Kind.FAILS_ONCE);
            case CALL_ACTOR_FAILS -> call(happening, Kind.FAILS);
            case CANCEL_CALL -> program().cancelCall(happening.which()).ifPresent(cancelled::add);
            case GENERATE -> generate(happening, Kind.SMALL);
            case GENERATE_FAILS_ONCE -> generate(happening, Kind.FAILS_ONCE);
            case GROUP -> program().group(happening.other(), happening.millis());
            case KILL_PROGRAM -> program().kill();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void map(Happening happening, Kind kind) {
        int number = NUMBERS_OF_MAPS * (1 + happening.which());
        program().map(new SimulatedTask(number, happening.millis(), kind), happening.other());
    }

    private void hold(Happening happening) {
        holds = true;
        program().hold(new SimulatedTask(NUMBERS_OF_HELD, happening.millis(), Kind.LARGE));
    }

    private void call(Happening happening, Kind kind) {
        int first = NUMBERS_OF_CALLS + CALLS_AT_ONCE * happening.which();
        for (int i = 0; i < happening.other(); i++) {
            SimulatedTask task = new SimulatedTask(first + i, happening.millis(), kind);
            program().call(new SimulatedCall(task, i % READ_EACH != READ_EACH - 1));
        }
    }

    private void generate(Happening happening, Kind kind) {
        SimulatedTask task = new SimulatedTask(NUMBERS_OF_GENERATED, happening.millis(), kind);
        program().generate(new SimulatedGenerator(task, happening.other()));
    }

    /**
     * Retention is counted on the clock of the worker that records the result: what one keeps can last an hour longer.
     */
    void clockIsAhead() {
        clocksWereAhead = true;
    }

    /** Generators whose only reader was killed: they wait for another one, until somebody cancels them. */
    List<FutureId> unread() {
        return program == null || !program.isDead() ? List.of() : checks.undone(SimulatedProgram.GENERATED);
    }

    boolean isDone() {
        return program == null || program.isDone();
    }

    /** What it waits for. */
    List<FutureId> pending() {
        return program == null
                ? List.of()
                : program.submitted().stream()
                        .map(SimulatedProgram.Submitted::id)
                        .filter(id -> !program.ends().containsKey(id))
                        .toList();
    }

    /** What the program was told must be right. */
    void requireRight() {
        if (program == null || program.isDead()) {
            return;
        }
        for (SimulatedProgram.Mapped mapped : program.mapped()) {
            SimulatedProgram.End end = program.end(mapped);
            boolean right = end.failure()
                    .map(failure -> isCancellation(failure) && cancelled.contains(mapped.id()))
                    .orElse(mapped.task().value(0).equals(end.value()));
            checks.outcome(right, "task " + mapped.task() + " ended for its program as " + end);
        }
        requireChain(program);
        program.wrongReads().forEach(wrong -> checks.outcome(false, wrong));
    }

    /** Each call finds what the calls before it have left, in order, those that failed or were cancelled left out. */
    private void requireChain(SimulatedProgram present) {
        List<Integer> last = present.called().stream()
                .filter(called -> changes(present, called))
                .map(called -> called.call().task().number())
                .toList();
        int changes = 0;
        for (SimulatedProgram.Called called : present.called()) {
            changes += changes(present, called) ? 1 : 0;
            SimulatedProgram.End end = present.end(called);
            boolean fails = called.call().task().kind() == Kind.FAILS;
            List<Integer> state = last.subList(0, changes);
            boolean right = end.failure()
                    .map(failure -> fails || (isCancellation(failure) && cancelled.contains(called.id())))
                    .orElseGet(() -> !fails
                            && (called.call().changes()
                                    ? state.equals(end.value())
                                    : end.value() instanceof List<?> read && isBetween(state, read, last)));
            checks.outcome(right, "call " + called.call() + " after " + state + " ended for its program as " + end);
        }
    }

    private static boolean changes(SimulatedProgram present, SimulatedProgram.Called called) {
        return called.call().changes() && present.end(called).failure().isEmpty();
    }

    /** A read finds what was left by the calls before it, and perhaps by later ones. */
    private static boolean isBetween(List<Integer> state, List<?> read, List<Integer> last) {
        return read.size() >= state.size()
                && read.size() <= last.size()
                && last.subList(0, read.size()).equals(read);
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
