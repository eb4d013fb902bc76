/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.ReadTransaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The tasks that have submitted a future, its parent first, as far as they run. While one waits for the future it keeps
 * what it requires, but its processors: so what no worker has beside that can not start before it ends. Immutable.
 */
public final class Ancestors {

    /** Deeper ones are not looked at. */
    private static final int DEPTH_MAX = 32;

    /** None. */
    public static final Ancestors NONE = new Ancestors(List.of());

    private record Holder(FutureId id, String seat, Requirements kept) {}

    private final List<Holder> holders;

    private Ancestors(List<Holder> holders) {
        this.holders = List.copyOf(holders);
    }

    /** Those of what {@code parent} has submitted; empty where it was no task. */
    public static CompletableFuture<Ancestors> of(ReadTransaction transaction, FutureKeys keys, ByteString parent) {
        return of(transaction, keys, parent, new ArrayList<>(), 0);
    }

    private static CompletableFuture<Ancestors> of(
            ReadTransaction transaction, FutureKeys keys, ByteString parent, List<Holder> found, int depth) {
        if (parent.isEmpty() || depth >= DEPTH_MAX) {
            return CompletableFuture.completedFuture(new Ancestors(found));
        }
        FutureId id = Ids.of(parent);
        return keys.record(transaction, id)
                .thenCompose(record -> record.filter(task -> task.getState() == State.STATE_CLAIMED)
                        .map(task -> {
                            found.add(holder(id, task));
                            return of(transaction, keys, task.getParent(), found, depth + 1);
                        })
                        .orElseGet(() -> CompletableFuture.completedFuture(new Ancestors(found))));
    }

    private static Holder holder(FutureId id, FutureRecord task) {
        return new Holder(
                id,
                task.getClaim().getSeat(),
                SchedulingSpecs.requirements(task).toBuilder().clearCpuMillis().build());
    }

    /**
     * What keeps a future from starting while they run, and what to do; nothing where one of the members could run it
     * beside them, or none could without them.
     */
    public Optional<String> problem(Demand demand, List<Member> all) {
        List<Member> able = all.stream()
                .filter(Demand::mayReturn)
                .filter(member -> demand.seat().isEmpty() || demand.seat().equals(member.seat()))
                .filter(member -> Capacity.of(member).fits(demand.requirements()))
                .toList();
        if (holders.isEmpty()
                || able.isEmpty()
                || able.stream().anyMatch(member -> left(member).fits(demand.requirements()))) {
            return Optional.empty();
        }
        List<String> held = holders.stream()
                .filter(holder -> !holder.kept().equals(Requirements.getDefaultInstance()))
                .filter(holder -> able.stream().anyMatch(member -> member.seat().equals(holder.seat())))
                .map(holder -> holder.id() + " holds " + amounts(holder.kept()) + " on " + holder.seat())
                .toList();
        return Optional.of("It requires " + amounts(demand.requirements())
                + ", which no worker has beside the tasks that have submitted it: " + String.join(", ", held)
                + ". If they wait for it, none of them ever ends. Require less, submit it from outside of them, or"
                + " submit it waiting for capacity where they do not wait for it.");
    }

    private Capacity left(Member member) {
        Capacity left = Capacity.of(member);
        for (Holder holder : holders) {
            if (holder.seat().equals(member.seat())) {
                left = left.minus(holder.kept());
            }
        }
        return left;
    }

    /** Whether both take some of the same, processors aside. */
    public static boolean shares(Requirements one, Requirements other) {
        return Math.min(one.getMemoryBytes(), other.getMemoryBytes()) > 0
                || Math.min(one.getGpuMillis(), other.getGpuMillis()) > 0
                || one.getCustomMap().entrySet().stream()
                        .anyMatch(custom ->
                                Math.min(custom.getValue(), other.getCustomOrDefault(custom.getKey(), 0)) > 0);
    }

    /** For people: what is not zero. */
    public static String amounts(Requirements requirements) {
        List<String> amounts = new ArrayList<>();
        if (requirements.getCpuMillis() > 0) {
            amounts.add("cpuMillis=" + requirements.getCpuMillis());
        }
        if (requirements.getMemoryBytes() > 0) {
            amounts.add("memoryBytes=" + requirements.getMemoryBytes());
        }
        if (requirements.getGpuMillis() > 0) {
            amounts.add("gpuMillis=" + requirements.getGpuMillis());
        }
        requirements.getCustomMap().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(custom -> amounts.add(custom.getKey() + "=" + custom.getValue()));
        return String.join(" ", amounts);
    }
}
