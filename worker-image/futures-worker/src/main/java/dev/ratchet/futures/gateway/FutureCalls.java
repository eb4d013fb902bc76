/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.upkeep.Requeue;
import dev.ratchet.futures.worker.Worker;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.DeleteReply;
import dev.ratchet.protocol.client.v1.DeleteRequest;
import dev.ratchet.protocol.client.v1.PrioritizeReply;
import dev.ratchet.protocol.client.v1.PrioritizeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Cancels, moves and deletes futures that the caller may change, many in one call and few in one transaction. What is
 * asked for wrongly is an IllegalArgumentException.
 */
final class FutureCalls {

    private static final int IDS_MAX = 1_000;

    private final Worker worker;
    private final Confinement confinement;

    FutureCalls(Worker worker, Confinement confinement) {
        this.worker = worker;
        this.confinement = confinement;
    }

    /** Cancels futures and what their code has submitted; or ends their running attempts, which count as lost. */
    CompletableFuture<CancelReply> cancel(CancelRequest request) {
        if (request.getIdsCount() > IDS_MAX) {
            throw new IllegalArgumentException("At most " + IDS_MAX + " futures are cancelled at once");
        }
        List<FutureId> ids = ids(request.getIdsList());
        return confinement
                .requireOwn(ids)
                .thenCompose(own -> cancelFrom(ids, 0, request.getKill(), CancelReply.newBuilder()));
    }

    private CompletableFuture<CancelReply> cancelFrom(
            List<FutureId> ids, int from, boolean kill, CancelReply.Builder reply) {
        if (from >= ids.size()) {
            return CompletableFuture.completedFuture(reply.build());
        }
        int to = Math.min(ids.size(), from + Cancellation.BATCH_MAX);
        List<FutureId> batch = new ArrayList<>(ids.subList(from, to));
        Cancellation cancellation = worker.cancellation();
        return (kill ? cancellation.kill(batch) : cancellation.cancelTree(batch)).thenCompose(ended -> {
            ended.forEach(id -> reply.addCancelled(Ids.bytes(id)));
            return cancelFrom(ids, to, kill, reply);
        });
    }

    /** Gives futures that wait another priority. */
    CompletableFuture<PrioritizeReply> prioritize(PrioritizeRequest request) {
        if (request.getIdsCount() > IDS_MAX || Math.abs(request.getPriority()) > SubmitOptions.PRIORITY_MAX) {
            throw new IllegalArgumentException("At most " + IDS_MAX + " futures are moved at once, to a priority"
                    + " of at most " + SubmitOptions.PRIORITY_MAX + " either way; not " + request.getIdsCount()
                    + " to " + request.getPriority());
        }
        List<FutureId> ids = ids(request.getIdsList());
        return confinement
                .requireOwn(ids)
                .thenCompose(own -> prioritizeFrom(ids, 0, request.getPriority(), PrioritizeReply.newBuilder()));
    }

    private CompletableFuture<PrioritizeReply> prioritizeFrom(
            List<FutureId> ids, int from, int priority, PrioritizeReply.Builder reply) {
        if (from >= ids.size()) {
            return CompletableFuture.completedFuture(reply.build());
        }
        int to = Math.min(ids.size(), from + Requeue.BATCH_MAX);
        return worker.moving()
                .prioritize(List.copyOf(ids.subList(from, to)), priority)
                .thenCompose(moved -> {
                    moved.forEach(id -> reply.addIds(Ids.bytes(id)));
                    return prioritizeFrom(ids, to, priority, reply);
                });
    }

    /** Deletes the records of futures. */
    CompletableFuture<DeleteReply> delete(DeleteRequest request) {
        List<FutureId> ids = ids(request.getIdsList());
        return confinement
                .requireOwn(ids)
                .thenCompose(own -> worker.deletion().delete(ids))
                .thenApply(deleted -> DeleteReply.newBuilder()
                        .addAllDeleted(deleted.stream().map(Ids::bytes).toList())
                        .build());
    }

    /** The ids of futures. A block is nothing that users know. */
    private static List<FutureId> ids(List<ByteString> bytes) {
        return bytes.stream().map(Ids::of).filter(id -> !BlockIds.isBlock(id)).toList();
    }
}
