/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.check;

import dev.ratchet.client.simulated.SimulatedCall;
import dev.ratchet.client.simulated.SimulatedCall.Use;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.Executions;
import dev.ratchet.simulation.cluster.Executions.Execution;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import dev.ratchet.simulation.cluster.SimulatedProgram.Called;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rules about the order in which calls of the actor begin, which is the one in which the program has made them. One
 * without a number begins when all before it are over. Of those with one number that many run beside each other; the
 * calls before one with another number that is open may run beside them, because it stands for what it waits for.
 */
final class CallRules {

    private final StoreModel model;
    private final Ledger ledger;
    private final Executions executions;
    private final SimulatedProgram program;

    CallRules(StoreModel model, Ledger ledger, Executions executions, SimulatedProgram program) {
        this.model = model;
        this.ledger = ledger;
        this.executions = executions;
        this.program = program;
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
        List<Called> before = program.called().stream()
                .takeWhile(other -> !other.id().equals(execution.future()))
                .filter(other -> other.call().use() != Use.READ
                        && model.exists(other.id().value()))
                .toList();
        List<Called> open = call.concurrentMax() == 1
                ? before.stream().filter(this::isOpen).toList()
                : sameNumber(call, before).stream()
                        .filter(other -> isOpen(other)
                                && executions.of(other.call().task()).stream().anyMatch(overlaps))
                        .toList();
        ledger.require(
                Rule.G1,
                open.size() < call.concurrentMax(),
                () -> call + " begins on " + execution.process() + " while these are open: "
                        + open.stream().map(Called::call).toList());
    }

    /**
     * The last ones with this number: behind one with another that is open, or has left the line as it was cancelled.
     */
    private List<Called> sameNumber(SimulatedCall call, List<Called> before) {
        int from = before.size();
        while (from > 0 && !standsForOthers(before.get(from - 1), call)) {
            from--;
        }
        return before.subList(from, before.size());
    }

    private boolean standsForOthers(Called former, SimulatedCall call) {
        return former.call().concurrentMax() != call.concurrentMax()
                && (isOpen(former) || model.future(former.id().value()).getState() == State.STATE_CANCELLED);
    }

    private boolean isOpen(Called called) {
        return !FutureRules.isOver(model.future(called.id().value()));
    }
}
