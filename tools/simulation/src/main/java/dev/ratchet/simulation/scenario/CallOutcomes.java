/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.client.FutureCancelledException;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.client.simulated.SimulatedTask.Kind;
import dev.ratchet.simulation.check.ClusterRules;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import dev.ratchet.simulation.cluster.SimulatedProgram.Called;
import dev.ratchet.simulation.cluster.SimulatedProgram.End;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What must have come of the calls of the actor, whichever programs have made them: all have run as if in one order, in
 * which the state has those that changed it, each once. A call that changes the state finds what those before it have
 * left, those that failed or were cancelled left out; one that does not finds what was left at some time. Each finds
 * what any program knew of when it was made. A program that was killed answers for what it had been told until then.
 */
final class CallOutcomes {

    private final ClusterRules checks;
    private final List<?> left;
    private final Set<FutureId> cancelled;

    /**
     * @param left the recorded state of the actor: the numbers of the calls that have changed it, in order
     * @param cancelled what programs have wanted to cancel
     */
    CallOutcomes(ClusterRules checks, List<?> left, Set<FutureId> cancelled) {
        this.checks = checks;
        this.left = left;
        this.cancelled = cancelled;
    }

    void requireOneOrder(Collection<SimulatedProgram> programs) {
        checks.outcome(new HashSet<>(left).size() == left.size(), "the actor was changed twice by one call: " + left);
        List<Called> changes = programs.stream()
                .flatMap(program -> changes(program.called(), program.ends()))
                .toList();
        programs.forEach(program -> requireRight(program.called(), program.ends(), changes));
        Set<Object> others = new HashSet<>(left);
        others.removeAll(numbers(changes.stream()));
        Set<Integer> unknown = numbers(programs.stream().flatMap(CallOutcomes::changesOfUnknownEnd));
        checks.outcome(
                left.containsAll(numbers(changes.stream())) && unknown.containsAll(others),
                numbers(changes.stream()) + " have changed the actor, and perhaps of " + unknown + ", which has "
                        + left);
    }

    /** Those that have succeeded, as their program knows. */
    private static Stream<Called> changes(List<Called> calls, Map<FutureId, End> ends) {
        return calls.stream().filter(called -> {
            End end = ends.get(called.id());
            return called.call().changes() && end != null && end.failure().isEmpty();
        });
    }

    /** Of a program that was killed those of whose ends it had not been told. */
    private static Stream<Called> changesOfUnknownEnd(SimulatedProgram program) {
        Map<FutureId, End> ends = program.ends();
        return program.called().stream().filter(called -> called.call().changes() && !ends.containsKey(called.id()));
    }

    /** @param changes by all programs */
    private void requireRight(List<Called> calls, Map<FutureId, End> ends, List<Called> changes) {
        List<Called> before = new ArrayList<>();
        for (Called called : calls) {
            End end = ends.get(called.id());
            if (end != null) {
                Set<Integer> mustFind = mustFind(called, before, changes);
                checks.outcome(
                        isRight(called, end, mustFind),
                        called + " of the actor with " + left + " ended for its program as " + end
                                + " and must have found " + mustFind);
            }
            before.add(called);
        }
    }

    private boolean isRight(Called called, End end, Set<Integer> mustFind) {
        SimulatedTask task = called.call().task();
        return end.failure()
                .map(failure ->
                        task.kind() == Kind.FAILS || (isCancellation(failure) && cancelled.contains(called.id())))
                .orElseGet(() -> task.kind() != Kind.FAILS
                        && end.value() instanceof List<?> found
                        && isPrefix(found)
                        && (!called.call().changes() || task.number() == (int) found.getLast())
                        && found.containsAll(mustFind));
    }

    private boolean isPrefix(List<?> found) {
        return found.size() <= left.size() && found.equals(left.subList(0, found.size()));
    }

    /**
     * What a call finds: the changes that a program knew of when it was made, and all that its own program has made
     * before it, if it may not run beside others.
     */
    private static Set<Integer> mustFind(Called called, List<Called> before, List<Called> changes) {
        return numbers(changes.stream()
                .filter(change -> called.after().contains(change.id())
                        || (called.call().concurrentMax() == 1 && before.contains(change))));
    }

    private static Set<Integer> numbers(Stream<Called> calls) {
        return calls.map(called -> called.call().task().number()).collect(Collectors.toSet());
    }

    static boolean isCancellation(Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure)
                instanceof FutureCancelledException;
    }
}
