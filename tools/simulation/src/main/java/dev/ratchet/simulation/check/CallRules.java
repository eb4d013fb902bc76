/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedCall.Use;
import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.client.simulated.SimulatedExecutions.Execution;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import dev.ratchet.simulation.cluster.SimulatedProgram.Called;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rules about the order in which calls of the actor begin: for each program the one in which it has made them, and
 * between programs the one in which they were recorded. One without a number begins when all before it are over. Of
 * those with one number that many run beside each other; the calls before one with another number that is open may run
 * beside them, because it stands for what it waits for. Calls of two programs that one commit has recorded have no
 * order that could be seen: there the rules let pass what either order allows.
 */
final class CallRules {

    private final StoreModel model;
    private final Ledger ledger;
    private final SimulatedExecutions executions;
    private final List<SimulatedProgram> programs = new ArrayList<>();
    /** By which commit each future was recorded, counted from the beginning. */
    private final Map<FutureId, Long> recorded = new HashMap<>();

    private long commits;

    /** One in the line. */
    private record Placed(SimulatedProgram by, Called called, long commit) {}

    CallRules(StoreModel model, Ledger ledger, SimulatedExecutions executions) {
        this.model = model;
        this.ledger = ledger;
        this.executions = executions;
    }

    void follow(SimulatedProgram program) {
        programs.add(program);
    }

    /** What is recorded from now on, is so by another commit. */
    void committed() {
        commits++;
    }

    /** A future has its first record, or has it again, after the store has lost it. */
    void recorded(FutureId future) {
        recorded.put(future, commits);
    }

    /**
     * A claimed attempt at a call begins.
     *
     * @param overlaps which others run while it begins
     */
    void begun(Execution execution, Predicate<Execution> overlaps) {
        execution
                .call()
                .filter(call -> call.use() != Use.READ)
                .ifPresent(call -> requireTurn(execution, call, overlaps));
    }

    private void requireTurn(Execution execution, SimulatedCall call, Predicate<Execution> overlaps) {
        List<Placed> before = before(execution.future());
        List<Placed> open = call.concurrentMax() == 1
                ? before.stream().filter(this::isOpen).toList()
                : sameNumber(execution.future(), call, before).stream()
                        .filter(other -> isOpen(other)
                                && executions.of(other.called().call().task()).stream()
                                        .anyMatch(overlaps))
                        .toList();
        ledger.require(
                Rule.G1,
                open.size() < call.concurrentMax(),
                () -> call + " begins on " + execution.process() + " while these are open: "
                        + open.stream().map(other -> other.called().call()).toList());
    }

    /** What certainly comes before a call in the line, in order. */
    private List<Placed> before(FutureId future) {
        return programs.stream()
                .flatMap(program -> isBy(program, future)
                        ? line(program).takeWhile(other -> !other.called().id().equals(future))
                        : line(program).filter(other -> other.commit() < commit(future)))
                .filter(other -> model.exists(other.called().id().value()))
                .sorted(Comparator.comparingLong(Placed::commit))
                .toList();
    }

    private Stream<Placed> line(SimulatedProgram program) {
        return program.called().stream()
                .filter(called -> called.call().use() != Use.READ)
                .map(called -> new Placed(program, called, commit(called.id())));
    }

    private static boolean isBy(SimulatedProgram program, FutureId future) {
        return program.called().stream().anyMatch(called -> called.id().equals(future));
    }

    private long commit(FutureId future) {
        return recorded.getOrDefault(future, Long.MAX_VALUE);
    }

    /**
     * The last ones with this number: behind one with another that is open, or has left the line as it was cancelled.
     */
    private List<Placed> sameNumber(FutureId future, SimulatedCall call, List<Placed> before) {
        boolean mayStandBetween = programs.stream()
                .filter(program -> !isBy(program, future))
                .flatMap(this::line)
                .anyMatch(other -> other.commit() == commit(future) && standsForOthers(other, call));
        if (mayStandBetween) {
            return List.of();
        }
        int from = before.size();
        while (from > 0 && !standsForOthers(before.get(from - 1), call)) {
            from--;
        }
        if (from == 0) {
            return before;
        }
        Placed last = before.get(from - 1);
        return before.subList(from, before.size()).stream()
                .filter(other -> other.by() == last.by() || other.commit() > last.commit())
                .toList();
    }

    private boolean standsForOthers(Placed former, SimulatedCall call) {
        return former.called().call().concurrentMax() != call.concurrentMax()
                && (isOpen(former) || model.future(former.called().id().value()).getState() == State.STATE_CANCELLED);
    }

    private boolean isOpen(Placed placed) {
        return !FutureRules.isOver(model.future(placed.called().id().value()));
    }
}
