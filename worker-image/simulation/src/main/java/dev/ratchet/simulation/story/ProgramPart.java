/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.story;

import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedCall.Use;
import dev.ratchet.client.simulated.SimulatedGenerator;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.actor.Snapshot;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.simulation.check.Checks;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the user's program does in a telling, and what must come of it. It starts with the first thing it does. */
final class ProgramPart {

    private static final int NUMBERS_OF_MAPS = 1_000;
    private static final int NUMBERS_OF_HELD = 500;
    private static final int NUMBERS_OF_CALLS = 600;
    private static final int NUMBERS_OF_GENERATED = 700;

    /** One call of the actor in so many changes nothing. */
    private static final int UNCHANGING_EACH = 3;

    /** What only the program held must be gone so long after its end: its lease, and two sweeps. */
    private static final long FORGOTTEN_MILLIS = 240_000;

    private final SimulatedCluster cluster;
    private final Checks checks;
    private final Set<FutureId> cancelled = new HashSet<>();
    private @Nullable SimulatedProgram program;
    private int calls;
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
            checks.follow(present);
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
            case CALL_ACTOR -> call(happening, Kind.SMALL, Use.READ, 1);
            case CALL_ACTOR_FAILS_ONCE -> call(happening, Kind.FAILS_ONCE, Use.READ, 1);
            case CALL_ACTOR_FAILS -> call(happening, Kind.FAILS, Use.READ, 1);
            case CALL_ACTOR_BESIDE -> call(happening, Kind.SMALL, Use.LOOK, happening.which());
            case CALL_ACTOR_BESIDE_FAILS_ONCE -> call(happening, Kind.FAILS_ONCE, Use.LOOK, happening.which());
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

    private void call(Happening happening, Kind kind, Use unchanging, int concurrentMax) {
        for (int i = 0; i < happening.other(); i++) {
            SimulatedTask task = new SimulatedTask(NUMBERS_OF_CALLS + calls, happening.millis(), kind);
            Use use = i % UNCHANGING_EACH == UNCHANGING_EACH - 1 ? unchanging : Use.CHANGE;
            program().call(new SimulatedCall(task, use, concurrentMax));
            calls++;
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
        if (program == null) {
            return;
        }
        List<?> left = left();
        checks.outcome(new HashSet<>(left).size() == left.size(), "the actor was changed twice by one call: " + left);
        if (program.isDead()) {
            return;
        }
        for (SimulatedProgram.Mapped mapped : program.mapped()) {
            SimulatedProgram.End end = program.end(mapped);
            boolean right = end.failure()
                    .map(failure -> isCancellation(failure) && cancelled.contains(mapped.id()))
                    .orElse(mapped.task().value(0).equals(end.value()));
            checks.outcome(right, "task " + mapped.task() + " ended for its program as " + end);
        }
        requireOneOrder(program, left);
        program.wrongReads().forEach(wrong -> checks.outcome(false, wrong));
    }

    /** The recorded state of the actor: the numbers of the calls that have changed it, in order. */
    private List<?> left() {
        ActorStates states = new ActorStates(new FutureKeys(cluster.keyspace));
        Snapshot recorded = cluster.await(
                cluster.database.readAsync(transaction -> states.read(transaction, SimulatedProgram.actor())));
        try {
            Object state = LiveActors.copy(recorded, ProgramPart.class.getClassLoader())
                    .get();
            return state instanceof List<?> numbers ? numbers : List.of();
        } catch (IOException | ClassNotFoundException unreadable) {
            throw new IllegalStateException("The state of the actor can not be read: " + recorded, unreadable);
        }
    }

    /**
     * All calls have run as if in one order, in which the state has them: one that changes it finds what those before
     * it have left, those that failed or were cancelled left out; one that does not finds what was left at some time.
     */
    private void requireOneOrder(SimulatedProgram present, List<?> left) {
        List<SimulatedProgram.Called> changes = new ArrayList<>();
        for (SimulatedProgram.Called called : present.called()) {
            SimulatedProgram.End end = present.end(called);
            SimulatedTask task = called.call().task();
            boolean right = end.failure()
                    .map(failure ->
                            task.kind() == Kind.FAILS || (isCancellation(failure) && cancelled.contains(called.id())))
                    .orElseGet(() -> task.kind() != Kind.FAILS
                            && end.value() instanceof List<?> found
                            && isPrefix(found, left)
                            && (!called.call().changes() || task.number() == (int) found.getLast())
                            && found.containsAll(mustFind(called, changes)));
            checks.outcome(right, called + " of the actor with " + left + " ended for its program as " + end);
            if (end.failure().isEmpty() && called.call().changes()) {
                changes.add(called);
            }
        }
        Set<Integer> changed = numbers(changes.stream());
        checks.outcome(changed.equals(Set.copyOf(left)), changed + " have changed the actor, which has " + left);
    }

    private static boolean isPrefix(List<?> found, List<?> left) {
        return found.size() <= left.size() && found.equals(left.subList(0, found.size()));
    }

    private static Set<Integer> numbers(Stream<SimulatedProgram.Called> calls) {
        return calls.map(called -> called.call().task().number()).collect(Collectors.toSet());
    }

    /**
     * What a call finds of the changes before it: all of them, if it may not run beside others, and else at least those
     * that the program knew of when it made it.
     */
    private static Set<Integer> mustFind(SimulatedProgram.Called called, List<SimulatedProgram.Called> changes) {
        return numbers(changes.stream()
                .filter(change ->
                        called.call().concurrentMax() == 1 || called.after().contains(change.id())));
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
