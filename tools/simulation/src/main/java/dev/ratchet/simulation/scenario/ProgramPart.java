/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedCall.Use;
import dev.ratchet.client.simulated.SimulatedGenerator;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.GivenState;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.actor.StateAwayException;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.simulation.check.ClusterRules;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What the user's programs do in a scenario run, and what must come of it. One does everything, another only calls the
 * actor, a third one floods the cluster. Each starts with the first thing it does.
 */
final class ProgramPart {

    private static final int NUMBERS_OF_MAPS = 1_000;
    private static final int NUMBERS_OF_FLOODS = 100_000;
    private static final int NUMBERS_OF_HELD = 500;
    private static final int NUMBERS_OF_HELD_TOGETHER = 550;
    private static final int NUMBERS_OF_CALLS = 600;
    private static final int NUMBERS_OF_GENERATED = 700;
    private static final int NUMBERS_OF_SPECULATION = 800;
    private static final int NUMBERS_OF_EACH = 10;

    /** Enough to travel as a block. */
    private static final int HELD_TOGETHER = 12;

    private static final String PROGRAM = "program";
    private static final String OTHER_PROGRAM = "other program";
    private static final String FLOODING_PROGRAM = "flooding program";
    private static final List<String> PROGRAMS = List.of(PROGRAM, OTHER_PROGRAM, FLOODING_PROGRAM);

    /** One call of the actor in so many changes nothing. */
    private static final int UNCHANGING_EACH = 3;

    /** What only the program held must be gone so long after its end: its lease, and two sweeps. */
    private static final long FORGOTTEN_MILLIS = 240_000;

    private final SimulatedCluster cluster;
    private final ClusterRules checks;
    private final Set<FutureId> cancelled = new HashSet<>();
    private final Map<String, SimulatedProgram> programs = new LinkedHashMap<>();
    private final Set<FutureId> known = new HashSet<>();
    private int calls;
    private boolean holds;
    private boolean clocksWereAhead;

    ProgramPart(SimulatedCluster cluster, ClusterRules checks) {
        this.cluster = cluster;
        this.checks = checks;
    }

    private SimulatedProgram program() {
        return program(PROGRAM);
    }

    private SimulatedProgram other() {
        return program(OTHER_PROGRAM);
    }

    private SimulatedProgram program(String name) {
        return programs.computeIfAbsent(name, unstarted -> {
            SimulatedProgram started = new SimulatedProgram(cluster, name, known);
            checks.follow(started);
            return started;
        });
    }

    /** Does what happens by a program, and says whether that is so. */
    boolean happen(FaultEvent faultEvent) {
        switch (faultEvent.kind()) {
            case MAP -> map(faultEvent, Kind.SMALL);
            case MAP_FAILS_ONCE -> map(faultEvent, Kind.FAILS_ONCE);
            case HOLD -> hold(faultEvent);
            case CANCEL_MAPPED -> program().cancel(faultEvent.which()).ifPresent(cancelled::add);
            case CALL_ACTOR -> call(program(), faultEvent, Kind.SMALL, Use.READ, 1);
            case CALL_ACTOR_FAILS_ONCE -> call(program(), faultEvent, Kind.FAILS_ONCE, Use.READ, 1);
            case CALL_ACTOR_FAILS -> call(program(), faultEvent, Kind.FAILS, Use.READ, 1);
            case CALL_ACTOR_BESIDE -> call(program(), faultEvent, Kind.SMALL, Use.LOOK, faultEvent.which());
            case CALL_ACTOR_BESIDE_FAILS_ONCE ->
                call(program(), faultEvent, Kind.FAILS_ONCE, Use.LOOK, faultEvent.which());
            case CANCEL_CALL -> program().cancelCall(faultEvent.which()).ifPresent(cancelled::add);
            case GENERATE -> generate(faultEvent, Kind.SMALL);
            case GENERATE_FAILS_ONCE -> generate(faultEvent, Kind.FAILS_ONCE);
            case SPECULATE -> speculate(faultEvent, Kind.SMALL);
            case SPECULATE_ON_VARYING -> speculate(faultEvent, Kind.VARIES);
            case GROUP -> program().group(faultEvent.other(), faultEvent.millis());
            case KILL_PROGRAM -> program().kill();
            case OTHER_PROGRAM_CALLS -> call(other(), faultEvent, Kind.SMALL, Use.READ, 1);
            case OTHER_PROGRAM_CALLS_FAIL_ONCE -> call(other(), faultEvent, Kind.FAILS_ONCE, Use.READ, 1);
            case OTHER_PROGRAM_CALLS_BESIDE -> call(other(), faultEvent, Kind.SMALL, Use.LOOK, faultEvent.which());
            case OTHER_PROGRAM_CANCELS -> other().cancelCall(faultEvent.which()).ifPresent(cancelled::add);
            case KILL_OTHER_PROGRAM -> other().kill();
            case FLOOD -> flood(faultEvent);
            case REMOVE_CLIENT -> program(PROGRAMS.get(faultEvent.which())).remove();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void map(FaultEvent faultEvent, Kind kind) {
        int number = NUMBERS_OF_MAPS * (1 + faultEvent.which());
        program().map(new SimulatedTask(number, faultEvent.millis(), kind), faultEvent.other());
    }

    private void flood(FaultEvent faultEvent) {
        int number = NUMBERS_OF_FLOODS * (1 + faultEvent.which());
        program(FLOODING_PROGRAM).map(new SimulatedTask(number, faultEvent.millis(), Kind.SMALL), faultEvent.other());
    }

    private void hold(FaultEvent faultEvent) {
        holds = true;
        program().hold(new SimulatedTask(NUMBERS_OF_HELD, faultEvent.millis(), Kind.LARGE), 1);
        program().hold(new SimulatedTask(NUMBERS_OF_HELD_TOGETHER, 1, Kind.SMALL), HELD_TOGETHER);
    }

    private void call(SimulatedProgram by, FaultEvent faultEvent, Kind kind, Use unchanging, int concurrentMax) {
        for (int i = 0; i < faultEvent.other(); i++) {
            SimulatedTask task = new SimulatedTask(NUMBERS_OF_CALLS + calls, faultEvent.millis(), kind);
            Use use = i % UNCHANGING_EACH == UNCHANGING_EACH - 1 ? unchanging : Use.CHANGE;
            by.call(new SimulatedCall(task, use, concurrentMax));
            calls++;
        }
    }

    private void speculate(FaultEvent faultEvent, Kind kind) {
        int number = NUMBERS_OF_SPECULATION + NUMBERS_OF_EACH * faultEvent.which();
        program().speculate(new SimulatedTask(number, faultEvent.millis(), kind), faultEvent.other());
    }

    private void generate(FaultEvent faultEvent, Kind kind) {
        SimulatedTask task = new SimulatedTask(NUMBERS_OF_GENERATED, faultEvent.millis(), kind);
        program().generate(new SimulatedGenerator(task, faultEvent.other()));
    }

    /**
     * Retention is counted on the clock of the worker that records the result: what one keeps can last an hour longer.
     */
    void clockIsAhead() {
        clocksWereAhead = true;
    }

    /** Generators whose only reader was killed: they wait for another one, until somebody cancels them. */
    List<FutureId> unread() {
        SimulatedProgram reader = programs.get(PROGRAM);
        return reader == null || !reader.isDead() ? List.of() : checks.undone(SimulatedProgram.GENERATED);
    }

    boolean isDone() {
        return programs.values().stream().allMatch(SimulatedProgram::isDone);
    }

    /** What they wait for. */
    List<FutureId> pending() {
        return programs.values().stream()
                .flatMap(program -> program.submitted().stream()
                        .map(SimulatedProgram.Submitted::id)
                        .filter(id -> !program.ends().containsKey(id)))
                .toList();
    }

    /** What the programs were told must be right. */
    void requireRight() {
        if (programs.isEmpty()) {
            return;
        }
        new CallOutcomes(checks, left(), cancelled).requireOneOrder(programs.values());
        programs.values().stream().filter(program -> !program.isDead()).forEach(this::requireRight);
    }

    private void requireRight(SimulatedProgram program) {
        for (SimulatedProgram.Mapped mapped : program.mapped()) {
            SimulatedProgram.End end = program.end(mapped);
            boolean right = end.failure()
                    .map(failure -> CallOutcomes.isCancellation(failure) && cancelled.contains(mapped.id()))
                    .orElse(mapped.task().value(0).equals(end.value()));
            checks.outcome(right, "task " + mapped.task() + " ended for its program as " + end);
        }
        program.speculated().forEach(one -> requireRight(program, one));
        program.wrongReads().forEach(wrong -> checks.outcome(false, wrong));
    }

    /** What was awaited is what is recorded; what was told before is the same, unless it varies. */
    private void requireRight(SimulatedProgram program, SimulatedProgram.Mapped speculated) {
        SimulatedProgram.End end = program.end(speculated);
        Object told = program.told().get(speculated.id());
        String recorded = recorded(speculated.id());
        SimulatedTask task = speculated.task();
        List<String> possible = task.kind() == Kind.VARIES
                ? IntStream.rangeClosed(1, checks.times(task))
                        .mapToObj(task::valueAt)
                        .toList()
                : List.of(task.value(0));
        checks.outcome(
                end.failure().isEmpty() && possible.contains(recorded) && recorded.equals(end.value()),
                "task " + task + " is recorded with " + recorded + " and ended for its program as " + end);
        checks.outcome(
                told != null && possible.contains(told) && (task.kind() == Kind.VARIES || told.equals(recorded)),
                "task " + task + " is recorded with " + recorded + ", and its program was told " + told);
    }

    private String recorded(FutureId id) {
        FutureKeys keys = new FutureKeys(cluster.keyspace);
        return cluster.await(cluster.database.readAsync(transaction -> keys.record(transaction, id)))
                .map(record -> value(record.getResult().getInline().toByteArray()))
                .orElse("nothing");
    }

    private static String value(byte[] inline) {
        try {
            return String.valueOf(CodeReader.read(inline, ProgramPart.class.getClassLoader()));
        } catch (IOException | ClassNotFoundException unreadable) {
            throw new IllegalStateException("A recorded value can not be read", unreadable);
        }
    }

    /** The recorded state of the actor: the numbers of the calls that have changed it, in order. */
    private List<?> left() {
        ActorStates states = new ActorStates(new FutureKeys(cluster.keyspace));
        ActorSnapshot recorded = cluster.await(
                cluster.database.readAsync(transaction -> states.read(transaction, SimulatedProgram.actor())));
        try {
            Object state = LiveActors.copy(
                            GivenState.of(recorded, states.bytesMax()),
                            ProgramPart.class.getClassLoader(),
                            ByteString.EMPTY,
                            ActorStorage.recorded())
                    .get();
            return state instanceof List<?> numbers ? numbers : List.of();
        } catch (IOException | ClassNotFoundException | StateAwayException unreadable) {
            throw new IllegalStateException("The state of the actor can not be read: " + recorded, unreadable);
        }
    }

    /** Whether a future has a record, or the block that it was submitted in has. */
    private boolean exists(FutureId id) {
        return checks.exists(id) || checks.exists(BlockIds.sentAs(id));
    }

    /** The programs end without a word: what nobody else needs goes, too. */
    void end() {
        if (holds && !clocksWereAhead) {
            programs.values().forEach(SimulatedProgram::kill);
            List<FutureId> held = program().held();
            cluster.world.until(
                    "what only the program held is gone",
                    FORGOTTEN_MILLIS,
                    () -> checks.clients() == 0 && held.stream().noneMatch(this::exists));
        }
    }
}
