/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.PreparedFuture;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.UnusedNotes;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.AntiAffinity;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.NamedCode;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Submits and cancels futures inside of the caller's own transaction on the cluster's store: they exist, or end,
 * exactly if that commits, together with whatever else it writes. The caller chooses ids, so that the retry of a
 * transaction submits nothing twice; outcomes are awaited by id, as by anybody. Safe for use by several threads; of
 * each transaction by one at a time.
 */
public final class TransactionalFutures {

    private final FutureStore store;
    private final Submission submission;
    private final Cancellation cancellation;

    /** @param keyspace of the cluster */
    public TransactionalFutures(com.apple.foundationdb.Database database, Keyspace keyspace, Environment environment) {
        store = new FutureStore(database, new FutureKeys(keyspace), environment);
        AntiAffinity nowhere = new AntiAffinity(new Unobserved(), environment.random());
        Recorder recorder = new Recorder(store.keys(), environment, "", nowhere);
        Dependents dependents = new Dependents(store.keys(), environment.random());
        Reconstruction reconstruction = new Reconstruction(store, recorder, dependents);
        submission = new Submission(store, recorder, dependents, reconstruction, new StoredMembers(keyspace));
        cancellation = new Cancellation(store, recorder, dependents);
    }

    /**
     * Records a future in {@code transaction}; one whose id is known is left as it is.
     *
     * @param artifacts SHA-256 of each jar that the task needs; a client has uploaded them before, and jars that no
     *     future names are kept for an hour
     * @return completes when everything is written, to be committed; fails with InvalidInputException if the future can
     *     not be recorded
     */
    public CompletableFuture<Void> submit(
            Transaction transaction, FutureId id, SubmitOptions options, List<byte[]> artifacts, NamedTask task) {
        FunctionRecord.Builder code = FunctionRecord.newBuilder()
                .setNamed(NamedCode.newBuilder().setClassName(task.className()).setMethod(task.method()));
        artifacts.forEach(digest -> code.addArtifacts(ByteString.copyFrom(digest)));
        FunctionRecord function = code.build();
        ByteString digest = Digests.ofFunction(function);
        byte[] argument = CodeWriter.write("argument", task.argument(), new LinkedHashSet<>());
        if (argument.length > ValueSizes.PIECE_BYTES) {
            throw new InvalidInputException("The argument of a task that is submitted in a transaction has at most "
                    + ValueSizes.PIECE_BYTES + " bytes when serialised, not " + argument.length + ".");
        }
        SubmitRequest request = SubmitRequest.newBuilder()
                .addFunctions(SubmittedFunction.newBuilder().setDigest(digest).setCode(function))
                .addFutures(SubmittedFuture.newBuilder()
                        .setId(Ids.bytes(id))
                        .setName(options.name())
                        .setJob(options.job())
                        .setMaxRetries(options.retries().maxRetries())
                        .setSchedulingSpec(SchedulingSpecs.of(options))
                        .setFunction(digest)
                        .setArgumentKind(ArgumentKind.ARGUMENT_KIND_VALUE)
                        .setArgument(UnsafeByteOperations.unsafeWrap(argument)))
                .build();
        return record(transaction, request, function);
    }

    /**
     * Records in {@code transaction} what a client has prepared, as {@link #submit(Transaction, FutureId,
     * SubmitOptions, List, NamedTask)} does.
     */
    public CompletableFuture<Void> submit(Transaction transaction, PreparedFuture future) {
        SubmitRequest request;
        try {
            request = SubmitRequest.parseFrom(future.request());
        } catch (InvalidProtocolBufferException foreign) {
            throw new InvalidInputException("The " + future + " was not made by Ratchet.prepare.", foreign);
        }
        return record(transaction, request, request.getFunctions(0).getCode());
    }

    private CompletableFuture<Void> record(Transaction transaction, SubmitRequest request, FunctionRecord function) {
        CompletableFuture<Void> artifactsAreThere = requireArtifacts(transaction, function);
        return store.within(transaction, futures -> submission.record(futures, request, artifactsAreThere))
                .thenAccept(TransactionalFutures::requireAll);
    }

    /**
     * Keeps a function, without a future that names it, until it is {@linkplain #letGo let go} as often.
     *
     * @return fails with InvalidInputException if the cluster does not have its artifacts
     */
    public CompletableFuture<Void> keep(Transaction transaction, SubmittedFunction function) {
        return requireArtifacts(transaction, function.getCode())
                .thenCompose(there -> store.within(transaction, futures -> {
                    submission.writeFunction(futures, function);
                    futures.countUses(function.getDigest(), 1);
                    return CompletableFuture.completedFuture(null);
                }));
    }

    /** Says that a function which was kept is not needed any more. */
    public CompletableFuture<Void> letGo(Transaction transaction, ByteString function) {
        return store.within(transaction, futures -> {
            futures.countUses(function, -1);
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Records futures of functions that are kept; those whose ids are known are left as they are.
     *
     * @param futures at most 1,000
     * @return fails with InvalidInputException if one can not be recorded
     */
    public CompletableFuture<Void> submitAll(Transaction transaction, List<SubmittedFuture> futures) {
        SubmitRequest request =
                SubmitRequest.newBuilder().addAllFutures(futures).build();
        return store.within(
                        transaction,
                        within -> submission.record(within, request, CompletableFuture.completedFuture(null)))
                .thenAccept(TransactionalFutures::requireAll);
    }

    private static void requireAll(Submission.Submitted submitted) {
        submitted.refusals().stream().findFirst().ifPresent(refusal -> {
            throw new InvalidInputException(
                    "The future " + Ids.of(refusal.getId()) + " was refused: " + refusal.getMessage());
        });
    }

    /** How many futures of a job are not done. */
    public CompletableFuture<Long> pending(ReadTransaction transaction, String job) {
        return transaction
                .getRange(store.keys().counts.range(job, "state"))
                .asList()
                .thenApply(counters -> counters.stream()
                        .filter(counter -> isOpen(
                                store.keys().counts.elements(counter.getKey()).getLong(2)))
                        .mapToLong(counter -> store.keys().counts.decode(counter.getValue()))
                        .sum());
    }

    private static boolean isOpen(long state) {
        State known = State.forNumber(Math.toIntExact(state));
        return known == null || Lifecycle.isOpen(known);
    }

    /** Each jar is there, and is not collected before this transaction has named it. */
    private CompletableFuture<Void> requireArtifacts(Transaction transaction, FunctionRecord function) {
        UnusedNotes.ofArtifacts(transaction, store.keys(), function);
        return AsyncUtil.whenAll(function.getArtifactsList().stream()
                .map(artifact -> transaction
                        .get(store.keys().artifacts.key((Object) artifact.toByteArray()))
                        .thenAccept(there -> {
                            if (there == null) {
                                throw new InvalidInputException("The cluster has no artifact 0x"
                                        + HexFormat.of().formatHex(artifact.toByteArray())
                                        + ". Upload it: jars that no future names are kept for an hour.");
                            }
                        }))
                .toList());
    }

    /**
     * Ends a future in {@code transaction}, unless it is done.
     *
     * @return whether it is cancelled once the transaction has committed
     */
    public CompletableFuture<Boolean> cancel(Transaction transaction, FutureId id) {
        return store.within(transaction, futures -> cancellation.record(futures, List.of(id)))
                .thenApply(cancelled -> cancelled.contains(id));
    }

    /** Whoever only submits and cancels observes nobody. */
    private static final class Unobserved implements Liveness {
        @Override
        public boolean isDead(String seat, long incarnation) {
            return false;
        }

        @Override
        public void suspect(String seat, long incarnation) {}

        @Override
        public List<Member> latest() {
            return List.of();
        }

        @Override
        public void addListener(DeathListener listener) {}
    }
}
