/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import dev.ratchet.futures.object.ObjectClient;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStore.Stored;
import dev.ratchet.futures.object.ObjectsService;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the object store of a worker that is about to leave: a healthy worker makes a copy of each object, then the
 * record names that one instead of this. Where nobody can take an object it is recorded as LOST, to be computed again
 * if it is ever asked for. An object is deleted here only after the record has stopped naming it.
 */
final class Evacuation {

    private static final Logger LOG = LoggerFactory.getLogger(Evacuation.class);

    /** Objects on their way at once. */
    private static final int LANES = 4;

    /** Workers asked to take one object before it is given up. */
    private static final int TRIES = 3;

    private final FutureStore store;
    private final Seat seat;
    private final Members members;
    private final Liveness liveness;
    private final ObjectStore objects;
    private final ObjectClient client;
    private final Copies copies;

    Evacuation(
            FutureStore store,
            Seat seat,
            Members members,
            Liveness liveness,
            ObjectStore objects,
            ObjectClient client) {
        this.store = store;
        this.seat = seat;
        this.members = members;
        this.liveness = liveness;
        this.objects = objects;
        this.client = client;
        this.copies = new Copies(store.keys());
    }

    /** Completes when this worker holds no object any more. */
    CompletableFuture<Void> run() {
        Queue<Stored> queue = new ConcurrentLinkedQueue<>(objects.all());
        int count = queue.size();
        return CompletableFuture.allOf(
                        IntStream.range(0, LANES).mapToObj(lane -> next(queue)).toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    if (count > 0) {
                        LOG.info("handed over the objects of this worker seat={} objects={}", seat.name(), count);
                    }
                });
    }

    private CompletableFuture<Void> next(Queue<Stored> queue) {
        Stored object = queue.poll();
        return object == null
                ? CompletableFuture.completedFuture(null)
                : move(object, TRIES, new ArrayList<>())
                        .thenComposeAsync(
                                unused -> next(queue), store.environment().executor());
    }

    private CompletableFuture<Void> move(Stored object, int tries, List<String> refused) {
        Optional<Member> target = tries > 0 ? choose(refused) : Optional.empty();
        if (target.isEmpty()) {
            return release(object, Optional.empty());
        }
        AdoptRequest request = AdoptRequest.newBuilder()
                .setName(ObjectsService.message(object.name()))
                .setBytes(object.bytes())
                .setChecksum(object.checksum())
                .setSourceSeat(seat.name())
                .build();
        return client.adopt(target.get().seat(), target.get().address(), request)
                .handle((reply, failure) -> {
                    if (failure == null) {
                        return release(
                                object,
                                Optional.of(Copy.newBuilder()
                                        .setSeat(reply.getSeat())
                                        .setIncarnation(reply.getIncarnation())
                                        .build()));
                    }
                    LOG.info(
                            "a worker does not take an object target={} object={} reason={}",
                            target.get().seat(),
                            object.name(),
                            failure.toString());
                    refused.add(target.get().seat());
                    return move(object, tries - 1, refused);
                })
                .thenCompose(next -> next);
    }

    private Optional<Member> choose(List<String> refused) {
        List<Member> candidates = liveness.latest().stream()
                .filter(member -> member.state() == WorkerState.HEALTHY
                        && !member.seat().equals(seat.name())
                        && !refused.contains(member.seat())
                        && !liveness.isDead(member.seat(), member.incarnation()))
                .toList();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.get(store.environment().random().nextInt(candidates.size())));
    }

    private CompletableFuture<Void> release(Stored object, Optional<Copy> replacement) {
        return store.run(futures -> seat.fence(futures.transaction())
                        .thenCompose(unused -> stillThere(futures, replacement))
                        .thenCompose(copy -> futures.load(object.name().future())
                                .thenAccept(loaded -> loaded.filter(future -> Copies.isResult(future, object.name()))
                                        .ifPresent(future -> replace(futures, future, copy)))))
                .thenRun(() -> objects.delete(object.name()));
    }

    /** The new copy, unless its holder has begun to leave meanwhile; conflicts with that. */
    private CompletableFuture<Optional<Copy>> stillThere(FutureTransaction futures, Optional<Copy> copy) {
        if (copy.isEmpty()) {
            return CompletableFuture.completedFuture(copy);
        }
        return members.one(futures.transaction(), copy.get().getSeat()).thenApply(member -> member.filter(holder ->
                        holder.incarnation() == copy.get().getIncarnation() && holder.state() == WorkerState.HEALTHY)
                .flatMap(holder -> copy));
    }

    private void replace(FutureTransaction futures, LoadedFuture future, Optional<Copy> replacement) {
        replacement.ifPresent(copy -> copies.add(futures, future, copy));
        copies.remove(
                futures,
                future,
                Copy.newBuilder()
                        .setSeat(seat.name())
                        .setIncarnation(seat.incarnation())
                        .build());
    }
}
