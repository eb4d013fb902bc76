/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.feeds;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.ConsumerRecord;
import dev.ratchet.protocol.feeds.v1.FeedRecord;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Submits the futures of one piece of a step and moves the position of the feed past it, in one transaction which reads
 * that the position is where the piece begins. So each piece is submitted once, whoever tries and however often.
 */
final class Delivery {

    /** What has become of a piece. */
    enum Outcome {
        /** It is submitted, now or by a former try, and the position is behind it. */
        DONE,
        /** Too many futures of the feed's job are not done. */
        FULL,
        /** The position is elsewhere: somebody has written it. */
        MOVED,
        /** The feed has ended or stopped. */
        OVER
    }

    /**
     * A part of what one step changed.
     *
     * @param from how many changes of the step come before it
     * @param arguments of its tasks, in the order of the changes
     * @param isLast nothing of the step comes behind it
     */
    record Piece(long step, long from, List<byte[]> arguments, boolean isLast) {}

    private final FeedStore store;
    private final TransactionalFutures futures;

    Delivery(FeedStore store, TransactionalFutures futures) {
        this.store = store;
        this.futures = futures;
    }

    /** One try of a transaction; fails with InvalidInputException where the futures are refused. */
    CompletableFuture<Outcome> record(Transaction transaction, String name, Piece piece) {
        CompletableFuture<CircuitRecord> circuit = DataflowStore.read(
                transaction.snapshot(), store.circuit().circuit(), CircuitRecord.getDefaultInstance());
        return store.read(transaction, name)
                .thenCombine(circuit, (feed, running) -> feed.filter(FeedStore.Feed::isActive)
                        .map(active -> record(transaction, active, running, piece))
                        .orElseGet(() -> CompletableFuture.completedFuture(Outcome.OVER)))
                .thenCompose(recorded -> recorded);
    }

    private CompletableFuture<Outcome> record(
            Transaction transaction, FeedStore.Feed feed, CircuitRecord circuit, Piece piece) {
        ConsumerRecord at = feed.position();
        if (at.getLife() != circuit.getLife()) {
            store.stop(
                    transaction,
                    feed,
                    "the circuit was started anew, and its steps put out again what they had put out before; end the"
                            + " feed and begin another one");
            return CompletableFuture.completedFuture(Outcome.OVER);
        }
        long to = piece.from() + piece.arguments().size();
        ConsumerRecord behind = piece.isLast()
                ? at.toBuilder().setStep(piece.step()).setDelivered(0).build()
                : at.toBuilder().setDelivered(to).build();
        if (at.equals(behind)) {
            return CompletableFuture.completedFuture(Outcome.DONE);
        }
        if (at.getStep() >= piece.step() || at.getDelivered() != piece.from()) {
            return CompletableFuture.completedFuture(Outcome.MOVED);
        }
        if (piece.arguments().isEmpty()) {
            store.move(transaction, feed, behind, 0);
            return CompletableFuture.completedFuture(Outcome.DONE);
        }
        SubmittedFuture template = feed.record().getTemplate();
        return futures.pending(transaction.snapshot(), template.getJob()).thenCompose(pending -> {
            if (pending + piece.arguments().size() > feed.record().getPendingMax()) {
                return CompletableFuture.completedFuture(Outcome.FULL);
            }
            return futures.submitAll(transaction, futures(feed.record(), piece)).thenApply(submitted -> {
                store.move(transaction, feed, behind, piece.arguments().size());
                return Outcome.DONE;
            });
        });
    }

    private static List<SubmittedFuture> futures(FeedRecord feed, Piece piece) {
        return IntStream.range(0, piece.arguments().size())
                .mapToObj(index -> feed.getTemplate().toBuilder()
                        .setId(Ids.bytes(id(feed.getId(), piece.step(), piece.from() + index)))
                        .setArgument(UnsafeByteOperations.unsafeWrap(
                                piece.arguments().get(index)))
                        .build())
                .toList();
    }

    /** The future of a change: the same whoever submits it, and another for each change of each feed. */
    static FutureId id(ByteString feed, long step, long number) {
        MessageDigest digest = Digests.sha256();
        digest.update(feed.asReadOnlyByteBuffer());
        digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(step)
                .putLong(number)
                .flip());
        return FutureId.ofDigest(digest.digest());
    }

    /** Stops a feed whose futures can not be submitted. */
    CompletableFuture<Void> stop(Transaction transaction, String name, InvalidInputException refused) {
        return store.read(transaction, name)
                .thenAccept(found ->
                        found.ifPresent(feed -> store.stop(transaction, feed, String.valueOf(refused.getMessage()))));
    }
}
