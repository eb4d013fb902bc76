/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Futures that differ in their arguments alone, on their way to the store; more may join until it is sent. Too few of
 * them travel each by itself. Later it tells them their outcomes. Safe for use by several threads.
 */
final class PendingBlock implements Pending {

    /** Futures of a block: enough to share what a block costs, few enough that several workers get some. */
    private static final int FUTURES_MAX = 256;

    private static final int ARGUMENT_BYTES_MAX = 32_000;

    /** Fewer travel each by itself. */
    private static final int FUTURES_MIN = 8;

    private final TaskPackaging.Common common;
    private final SubmittedFunction function;
    private final RemoteFuture.Origin origin;
    /** Those that no message has yet. */
    private final List<ByteString> arguments = new ArrayList<>();

    private final List<RemoteFuture<?>> futures = new ArrayList<>();
    private final BitSet done = new BitSet();
    private boolean equal = true;
    private int argumentBytes;

    /**
     * @param id of the block
     * @param common all but id and argument
     * @param completions reads the values of its futures
     * @param classes loads the classes of their values
     */
    PendingBlock(
            FutureId id,
            TaskPackaging.Common common,
            SubmittedFunction function,
            Completions completions,
            Caller caller,
            ClassLoader classes) {
        this.common = common;
        this.function = function;
        origin = new RemoteFuture.Origin(id, completions, caller, new CompletableFuture<>(), classes, common.options());
        origin.submitted().whenComplete((recorded, failure) -> {
            if (failure != null) {
                openFutures().forEach(future -> future.fail(failure));
            }
        });
    }

    /** Whether one more may join. */
    synchronized boolean takes(TaskPackaging.Common other, ByteString argument, Caller caller, ClassLoader classes) {
        CompletableFuture<Void> otherReady = other.ready();
        return futures.size() < FUTURES_MAX
                && argumentBytes + argument.size() <= ARGUMENT_BYTES_MAX
                && (otherReady == common.ready() || (otherReady.isDone() && !otherReady.isCompletedExceptionally()))
                && caller == origin.caller()
                && classes == origin.classes()
                && other.future().equals(common.future());
    }

    /** Adds a future. */
    synchronized <T> RemoteFuture<T> add(ByteString argument) {
        equal &= arguments.isEmpty() || arguments.get(0).equals(argument);
        arguments.add(argument);
        argumentBytes += argument.size();
        RemoteFuture<T> future = RemoteFuture.inBlock(origin, arguments.size());
        futures.add(future);
        return future;
    }

    @Override
    public FutureId id() {
        return origin.id();
    }

    @Override
    public synchronized int futures() {
        return futures.size();
    }

    @Override
    public synchronized long bytes() {
        return common.future().getSerializedSize() + (long) argumentBytes;
    }

    @Override
    public SubmittedFunction function() {
        return function;
    }

    @Override
    public SubmittedFuture future() {
        return common.future();
    }

    @Override
    public CompletableFuture<Void> ready() {
        return common.ready();
    }

    @Override
    public CompletableFuture<Void> submitted() {
        return origin.submitted();
    }

    @Override
    public synchronized boolean isBlock() {
        return futures.size() >= FUTURES_MIN;
    }

    @Override
    public synchronized void addTo(SubmitRequest.Builder request) {
        SubmittedFuture each = common.future();
        if (isBlock()) {
            request.addBlocks(SubmittedBlock.newBuilder()
                    .setCommon(each.toBuilder().setId(Ids.bytes(id())))
                    .setFutures(arguments.size())
                    .addAllArguments(equal ? arguments.subList(0, 1) : arguments));
        } else {
            for (int i = 0; i < arguments.size(); i++) {
                request.addFutures(each.toBuilder()
                        .setId(Ids.bytes(BlockIds.future(id(), i + 1)))
                        .setArgument(arguments.get(i)));
            }
        }
        arguments.clear();
    }

    /** Notes that the outcome of one of them is known, and returns that one. */
    RemoteFuture<?> done(int number) {
        return taken(number, 1).get(0);
    }

    /** Tells some of them their values. */
    void done(BlockOutcome outcome) {
        for (ResultRun run : outcome.getRunsList()) {
            Outcome each = outcome(run, outcome);
            taken(run.getFirst(), run.getFutures()).forEach(future -> future.complete(each));
        }
    }

    private synchronized List<RemoteFuture<?>> taken(int first, int count) {
        done.set(first, first + count);
        return List.copyOf(futures.subList(first - 1, first - 1 + count));
    }

    /** The outcome of each future of a run. */
    static Outcome outcome(ResultRun run, BlockOutcome of) {
        return Outcome.newBuilder()
                .setState(State.STATE_REALIZED)
                .setInline(run.getValue())
                .setAttempts(of.getAttempts())
                .build();
    }

    /** Says that the outcome of one of them will never be known here. */
    void fail(int number, RuntimeException reason) {
        taken(number, 1).forEach(future -> future.fail(reason));
    }

    /** Those whose outcomes are not known yet. */
    List<FutureId> open() {
        return openFutures().stream().map(RemoteFuture::id).collect(Collectors.toCollection(ArrayList::new));
    }

    /** The same as futures. */
    synchronized List<RemoteFuture<?>> openFutures() {
        List<RemoteFuture<?>> open = new ArrayList<>();
        for (int number = done.nextClearBit(1); number <= futures.size(); number = done.nextClearBit(number + 1)) {
            open.add(futures.get(number - 1));
        }
        return open;
    }

    /** Whether all outcomes are known. */
    synchronized boolean isDone() {
        return done.cardinality() == futures.size();
    }
}
