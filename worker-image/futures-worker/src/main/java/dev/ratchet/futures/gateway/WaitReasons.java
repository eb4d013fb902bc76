/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.object.Copies;
import dev.ratchet.futures.queue.Ancestors;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.queue.Demand;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Tells people what a future waits for that has not started, or what its value waits for, by what the store says at one
 * version.
 */
final class WaitReasons {

    private static final int UPSTREAMS_TOLD_MAX = 3;
    private static final int HOLDERS_TOLD_MAX = 3;

    /** Workers whose claims are looked at, and claims, or children, of each. */
    private static final int SEATS_TOLD_MAX = 20;

    private static final int CLAIMS_LOOKED_AT_MAX = 50;

    private final FutureKeys keys;
    private final Members members;

    WaitReasons(FutureKeys keys, Members members) {
        this.keys = keys;
        this.members = members;
    }

    /** A sentence, without its full stop where it is not several; empty for what is done or just runs. */
    CompletableFuture<String> of(ReadTransaction transaction, FutureId id, FutureRecord record) {
        return switch (record.getState()) {
            case STATE_WAITING -> upstreams(transaction, id);
            case STATE_DELAYED -> delayed(transaction, id, record);
            case STATE_REALIZED -> holders(transaction, record);
            case STATE_QUEUED, STATE_ASSIGNED ->
                members.all(transaction).thenCompose(all -> queued(transaction, record, all));
            case STATE_CLAIMED -> children(transaction, id, record);
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

    private CompletableFuture<String> delayed(ReadTransaction transaction, FutureId id, FutureRecord record) {
        String time = "its time, " + Instant.ofEpochMilli(record.getNotBeforeWallMillis());
        return record.getUpstreams() == 0
                ? CompletableFuture.completedFuture(time)
                : keys.upstreamsOf(transaction, id).thenCompose(upstreams -> {
                    List<CompletableFuture<String>> reads = upstreams.stream()
                            .limit(CLAIMS_LOOKED_AT_MAX)
                            .map(upstream -> upstream(transaction, upstream))
                            .toList();
                    return AsyncUtil.whenAll(reads).thenApply(unused -> reads.stream()
                            .map(CompletableFuture::join)
                            .filter(reason -> !reason.isEmpty())
                            .findFirst()
                            .map(reason -> time + ", or a value of an upstream: " + reason)
                            .orElse(time));
                });
    }

    private CompletableFuture<String> upstream(ReadTransaction transaction, FutureId id) {
        return keys.record(transaction, id).thenCompose(record -> record.map(found -> holders(transaction, found))
                .orElseGet(() -> CompletableFuture.completedFuture("")));
    }

    /** Who is awaited with the value of a future that is realized; nobody where somebody has it. */
    private CompletableFuture<String> holders(ReadTransaction transaction, FutureRecord record) {
        List<CompletableFuture<Optional<Member>>> reads = record.getResult().getObject().getCopiesList().stream()
                .map(copy -> members.one(transaction, copy.getSeat())
                        .thenApply(member ->
                                member.filter(holder -> isAway(holder, copy) && Copies.isAwaited(record, holder))))
                .toList();
        return AsyncUtil.whenAll(reads).thenApply(unused -> {
            List<String> away = reads.stream()
                    .flatMap(read -> read.join().map(Member::seat).stream())
                    .toList();
            return away.isEmpty() || away.size() < reads.size()
                    ? ""
                    : "the next process of " + String.join(" or ", away) + ", in whose files its value is";
        });
    }

    private static boolean isAway(Member holder, Copy copy) {
        return !holder.isPresent() || holder.incarnation() != copy.getIncarnation();
    }

    private CompletableFuture<String> queued(ReadTransaction transaction, FutureRecord record, List<Member> all) {
        String worker = worker(record, all);
        Demand demand = Demand.of(record);
        return demand.isModest() || demand.problem(all).isPresent()
                ? CompletableFuture.completedFuture(worker)
                : Ancestors.of(transaction, keys, record.getParent())
                        .thenCompose(ancestors -> ancestors
                                .problem(demand, all)
                                .map(CompletableFuture::completedFuture)
                                .orElseGet(() -> holders(transaction, demand, all)))
                        .thenApply(held -> held.isEmpty() ? worker : worker + ". " + held);
    }

    /** Who holds what such a future requires, beside processors. */
    private CompletableFuture<String> holders(ReadTransaction transaction, Demand demand, List<Member> all) {
        List<CompletableFuture<List<String>>> reads = all.stream()
                .filter(Demand::mayReturn)
                .filter(member -> Capacity.of(member).fits(demand.requirements()))
                .limit(SEATS_TOLD_MAX)
                .map(member -> holders(transaction, demand, member.seat()))
                .toList();
        return AsyncUtil.whenAll(reads).thenApply(unused -> {
            List<String> held = reads.stream()
                    .flatMap(read -> read.join().stream())
                    .limit(HOLDERS_TOLD_MAX)
                    .toList();
            return held.isEmpty() ? "" : "What it requires is held: " + String.join(", ", held);
        });
    }

    private CompletableFuture<List<String>> holders(ReadTransaction transaction, Demand demand, String seat) {
        return transaction
                .getRange(keys.claims.range(seat), CLAIMS_LOOKED_AT_MAX)
                .asList()
                .thenCompose(claims -> {
                    List<CompletableFuture<Optional<String>>> reads = claims.stream()
                            .map(claim -> new FutureId(
                                    keys.claims.elements(claim.getKey()).getUUID(2)))
                            .map(id -> keys.record(transaction, id)
                                    .thenApply(record -> record.map(SchedulingSpecs::requirements)
                                            .filter(held -> Ancestors.shares(demand.requirements(), held))
                                            .map(held -> id + " holds " + Ancestors.amounts(held) + " on " + seat)))
                            .toList();
                    return AsyncUtil.whenAll(reads).thenApply(unused -> reads.stream()
                            .flatMap(read -> read.join().stream())
                            .toList());
                });
    }

    /** What keeps children of a task that runs from starting, where that is the task itself. */
    private CompletableFuture<String> children(ReadTransaction transaction, FutureId id, FutureRecord record) {
        if (record.getChildren() == 0) {
            return CompletableFuture.completedFuture("");
        }
        return transaction
                .getRange(keys.children.range(id.value()), CLAIMS_LOOKED_AT_MAX)
                .asList()
                .thenCombine(members.all(transaction), (edges, all) -> {
                    List<CompletableFuture<Optional<String>>> reads = edges.stream()
                            .map(edge -> new FutureId(
                                    keys.children.elements(edge.getKey()).getUUID(1)))
                            .map(child -> stuck(transaction, child, all))
                            .toList();
                    return AsyncUtil.whenAll(reads).thenApply(unused -> reads.stream()
                            .flatMap(read -> read.join().stream())
                            .findFirst()
                            .orElse(""));
                })
                .thenCompose(reason -> reason);
    }

    private CompletableFuture<Optional<String>> stuck(ReadTransaction transaction, FutureId child, List<Member> all) {
        return keys.record(transaction, child).thenCompose(found -> found.filter(
                        record -> record.getState() == State.STATE_QUEUED || record.getState() == State.STATE_ASSIGNED)
                .filter(record -> !Demand.of(record).isModest())
                .map(record -> Ancestors.of(transaction, keys, record.getParent())
                        .thenApply(ancestors -> ancestors.problem(Demand.of(record), all))
                        .thenApply(problem ->
                                problem.map(reason -> "nothing, unless for its child " + child + ". " + reason)))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
    }

    private static String worker(FutureRecord record, List<Member> all) {
        String assigned = record.getAssignedSeat();
        return Demand.of(record)
                .problem(all)
                .map(problem -> "a worker that can run it. " + problem
                        + (SchedulingSpecs.requirements(record).getWaitForCapacity()
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
