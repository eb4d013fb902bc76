/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs worker threads through the schedule of a step: all go through the same parts, and meet between each two where
 * rows change hands, where the step may be rejected and after each iteration of a recursion. What they decide there is
 * the same for all threads and processes.
 */
final class StepRun {

    private final List<Schedule.Part> schedule;
    private final Team team;
    private final WorkerThread[] workerThreads;
    private final Agreement together;
    private final Agreement alone;
    private @Nullable StepRejectedException rejection;

    /**
     * Of these nodes, outside of recursions.
     *
     * @param processes how the processes of the circuit agree; null where there is one
     */
    StepRun(List<Node> nodes, Team team, WorkerThread[] workerThreads, @Nullable Agreement processes) {
        this.schedule = Schedule.of(nodes);
        this.team = team;
        this.workerThreads = workerThreads;
        this.together = new ThreadAgreement(workerThreads.length, team.barrier(), processes);
        this.alone = new ThreadAgreement(1, new StepBarrier(1), processes);
    }

    /**
     * Runs all parts in which a node is active.
     *
     * @param inOneThread whether the caller's thread runs all worker threads one after the other
     * @return why the step was not applied; null where it was
     */
    @Nullable
    StepRejectedException run(BitSet active, boolean inOneThread) {
        rejection = null;
        if (workerThreads.length == 1 || inOneThread) {
            run(schedule, workerThreads, alone, 0, active);
        } else {
            team.run(party -> run(schedule, new WorkerThread[] {workerThreads[party]}, together, party, active));
        }
        return rejection;
    }

    private boolean run(
            List<Schedule.Part> parts, WorkerThread[] mine, Agreement agreement, int party, @Nullable BitSet active) {
        boolean isApart = false;
        for (Schedule.Part part : parts) {
            List<Node> nodes = part.segment().nodes();
            if (active != null && nodes.stream().noneMatch(node -> active.get(node.number()))) {
                continue;
            }
            if (isApart) {
                agreement.exchange(party);
            }
            isApart = !part.isRecursion() && !part.segment().checks();
            if (part.isRecursion()) {
                iterate(part, mine, agreement, party);
            } else if (part.segment().checks()) {
                if (!check(nodes, mine, agreement, party)) {
                    return false;
                }
            } else {
                for (WorkerThread workerThread : mine) {
                    workerThread.run(nodes, active);
                }
            }
        }
        return true;
    }

    private boolean check(List<Node> nodes, WorkerThread[] mine, Agreement agreement, int party) {
        StepRejectedException first = null;
        for (WorkerThread workerThread : mine) {
            try {
                workerThread.check(nodes);
            } catch (StepRejectedException e) {
                first = first == null ? e : first;
            }
        }
        StepRejectedException agreed = agreement.first(party, first);
        if (party == 0) {
            rejection = agreed;
        }
        return agreed == null;
    }

    private void iterate(Schedule.Part part, WorkerThread[] mine, Agreement agreement, int party) {
        Node recursive = part.recursive();
        Recursion recursion = Objects.requireNonNull(recursive.recursion());
        int iteration = 0;
        for (int round = 0; iteration != Integer.MAX_VALUE; round++) {
            if (round > Recursion.ITERATIONS_MAX) {
                throw new StepFailedException("Recursion " + recursion.name() + " did not end after "
                        + Recursion.ITERATIONS_MAX + " iterations of one step; bound what it derives");
            }
            for (WorkerThread workerThread : mine) {
                workerThread.beginIteration(recursive, recursion, iteration);
            }
            run(part.iteration(), mine, agreement, party, null);
            int next = Integer.MAX_VALUE;
            for (WorkerThread workerThread : mine) {
                next = Math.min(next, workerThread.nextIteration(recursion));
            }
            iteration = agreement.least(party, next);
        }
        for (WorkerThread workerThread : mine) {
            workerThread.endIterations(recursive, recursion);
        }
    }
}
