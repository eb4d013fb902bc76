/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.ShardMap;
import dev.ratchet.circuits.state.StateRecord;
import dev.ratchet.protocol.dataflow.v1.RunParticipant;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.protocol.dataflow.v1.ShardAssignment;
import dev.ratchet.protocol.dataflow.v1.ShardRun;
import dev.ratchet.protocol.dataflow.v1.StateLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Which thread of which process owns which shards, as the records of a circuit and the versions of its state have it.
 */
public final class ShardLayout {

    /** What records without an assignment mean, and what a circuit begins with. */
    private static final int SHARDS = 1024;

    private ShardLayout() {}

    /** Equal shares; empty where there are more threads than shards, which no process opens. */
    public static ShardAssignment equal(int processes, int threads) {
        long all = (long) processes * threads;
        if (all < 1 || all > SHARDS) {
            return ShardAssignment.getDefaultInstance();
        }
        return assignment(ShardMap.equal(SHARDS, (int) all), threads);
    }

    /**
     * A map as records have it.
     *
     * @param threads of each process
     */
    static ShardAssignment assignment(ShardMap map, int threads) {
        ShardAssignment.Builder assignment = ShardAssignment.newBuilder().setShards(map.shards());
        map.runs()
                .forEach(run -> assignment.addRuns(ShardRun.newBuilder()
                        .setFirstShard(run.firstShard())
                        .setProcess(run.thread() / threads)
                        .setThread(run.thread() % threads)));
        return assignment.build();
    }

    /**
     * The map of a run, its threads numbered through all processes.
     *
     * @throws LayoutRefusedException where the assignment leaves a shard or a thread of the run out, or names others
     */
    public static ShardMap map(RunRecord run) {
        return map(run.getAssignment(), run.getParticipantsCount(), run.getThreads());
    }

    private static ShardMap map(ShardAssignment assignment, int processes, int threads) {
        try {
            if (assignment.equals(ShardAssignment.getDefaultInstance())) {
                return ShardMap.equal(SHARDS, processes * threads);
            }
            List<ShardMap.Run> runs = new ArrayList<>();
            for (ShardRun run : assignment.getRunsList()) {
                if (run.getProcess() < 0
                        || run.getProcess() >= processes
                        || run.getThread() < 0
                        || run.getThread() >= threads) {
                    throw new IllegalArgumentException("the owner of the run at shard " + run.getFirstShard()
                            + " is thread " + run.getThread() + " of process " + run.getProcess());
                }
                runs.add(new ShardMap.Run(run.getFirstShard(), run.getProcess() * threads + run.getThread()));
            }
            return ShardMap.of(assignment.getShards(), processes * threads, runs);
        } catch (IllegalArgumentException e) {
            throw new LayoutRefusedException("The shards of the circuit do not fit " + processes + " processes of "
                    + threads + " threads: " + e.getMessage());
        }
    }

    /** What a version that is made in a run says of it. */
    public static byte[] layout(RunRecord run) {
        return StateLayout.newBuilder()
                .addAllSeats(run.getParticipantsList().stream()
                        .map(RunParticipant::getSeat)
                        .toList())
                .setThreads(run.getThreads())
                .setAssignment(run.getAssignment())
                .build()
                .toByteArray();
    }

    /**
     * Looks whether a version of the state of a process has the shards that the process owns in a run.
     *
     * @throws LayoutRefusedException where it has others
     */
    public static void check(StateRecord version, RunRecord run, int process) {
        if (run.getVersion() == 0) {
            return;
        }
        StateLayout before = layout(version, run);
        String seat = run.getParticipants(process).getSeat();
        int number = before.getSeatsList().indexOf(seat);
        HashRanges has = number < 0
                ? HashRanges.ALL.complement()
                : rangesOf(
                        map(before.getAssignment(), before.getSeatsCount(), before.getThreads()),
                        before.getThreads(),
                        number);
        HashRanges owned = rangesOf(map(run), run.getThreads(), process);
        if (!has.equals(owned)) {
            throw new LayoutRefusedException("Version " + run.getVersion() + " of the state of " + seat + " has "
                    + shown(has) + ", but run " + run.getNumber() + " gives it " + shown(owned)
                    + ": the rows of other shards have not been brought to it");
        }
    }

    /** The layout of a version; one of a release before says nothing, and all its runs had the same. */
    private static StateLayout layout(StateRecord version, RunRecord run) {
        try {
            byte[] layout = version.layout();
            return layout.length > 0
                    ? StateLayout.parseFrom(layout)
                    : StateLayout.parseFrom(
                            layout(run.toBuilder().clearAssignment().build()));
        } catch (InvalidProtocolBufferException e) {
            throw new LayoutRefusedException(
                    "The layout in version " + run.getVersion() + " of the state can not be read: " + e.getMessage());
        }
    }

    private static HashRanges rangesOf(ShardMap map, int threads, int process) {
        HashRanges others = HashRanges.ALL;
        for (int thread = process * threads; thread < (process + 1) * threads; thread++) {
            others = others.minus(map.ranges(thread));
        }
        return others.complement();
    }

    private static String shown(HashRanges ranges) {
        List<String> all = ranges.ranges().stream()
                .map(range -> Long.toHexString(range.first()) + " to " + Long.toHexString(range.last()))
                .toList();
        return all.isEmpty() ? "no hashes" : "the hashes " + String.join(", ", all);
    }
}
