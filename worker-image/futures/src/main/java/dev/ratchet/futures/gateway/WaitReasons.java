/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Tells people what a future waits for that has not started, by what the store says at one version. */
final class WaitReasons {

    private static final int UPSTREAMS_TOLD_MAX = 3;

    private final FutureKeys keys;
    private final Members members;

    WaitReasons(FutureKeys keys, Members members) {
        this.keys = keys;
        this.members = members;
    }

    /** A sentence, without its full stop where it is not several; empty for what runs or is done. */
    CompletableFuture<String> of(ReadTransaction transaction, FutureId id, FutureRecord record) {
        return switch (record.getState()) {
            case STATE_WAITING -> upstreams(transaction, id);
            case STATE_DELAYED ->
                CompletableFuture.completedFuture("its time, " + Instant.ofEpochMilli(record.getNotBeforeWallMillis()));
            case STATE_QUEUED, STATE_ASSIGNED -> members.all(transaction).thenApply(all -> worker(record, all));
            default -> CompletableFuture.completedFuture("");
        };
    }

    private CompletableFuture<String> upstreams(ReadTransaction transaction, FutureId id) {
        return transaction
                .getRange(keys.waits.range(id.value()), UPSTREAMS_TOLD_MAX + 1)
                .asList()
                .thenApply(edges -> edges.stream()
                                .limit(UPSTREAMS_TOLD_MAX)
                                .map(edge -> new FutureId(keys.waits
                                                .elements(edge.getKey())
                                                .getUUID(1))
                                        .toString())
                                .collect(Collectors.joining(", ", "upstreams that are not done: ", ""))
                        + (edges.size() > UPSTREAMS_TOLD_MAX ? ", and others" : ""));
    }

    private static String worker(FutureRecord record, List<Member> all) {
        String assigned = record.getAssignedSeat();
        return Demand.of(record)
                .problem(all)
                .map(problem -> "a worker that can run it. " + problem
                        + (Treatments.requirements(record).getWaitForCapacity()
                                ? " It waits for capacity."
                                : " If that lasts for a minute, it fails."))
                .orElseGet(() -> assigned.isEmpty() ? anySlot(all) : slotOf(assigned, all));
    }

    private static String anySlot(List<Member> all) {
        long healthy = all.stream()
                .filter(member -> Demand.mayReturn(member) && member.state() == WorkerState.HEALTHY)
                .count();
        return "a free slot; " + healthy + " workers are healthy";
    }

    private static String slotOf(String seat, List<Member> all) {
        return all.stream()
                .filter(member -> member.seat().equals(seat) && Demand.mayReturn(member))
                .findFirst()
                .map(member -> "a free slot of " + seat + ", which is " + member.state())
                .orElse("any worker, soon: nobody has the seat " + seat + " that it was meant for");
    }
}
