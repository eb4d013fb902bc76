/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.RatchetException;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.code.ResultReader;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.FutureSet;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.PrioritizeReply;
import dev.ratchet.protocol.client.v1.PrioritizeRequest;
import dev.ratchet.protocol.futures.v1.ResultRun;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one connection still expects: the futures whose outcome is not known yet, each maybe several times, and the
 * values on their way. All of it can be asked for again, so nothing is lost with it. Safe for use by several threads.
 */
final class Completions implements OutcomeFeed.Sink {

    private static final long FETCH_RETRY_MILLIS = 200;

    /**
     * Values that are fetched at once: more do not come sooner, and the worker that is asked has other things to do.
     */
    static final int FETCHES_MAX = 64;

    private final GatewayConnection connection;
    private final Environment environment;
    private final ResultReader results;
    private final OutcomeFeed feed;
    private final Map<FutureId, List<RemoteFuture<?>>> waiting = new HashMap<>();
    private final Map<FutureId, PendingBlock> blocks = new HashMap<>();
    /** What those are told that values are on their way to, if none can come any more. */
    private final Set<Consumer<RuntimeException>> fetching = ConcurrentHashMap.newKeySet();

    private final Turns fetches = new Turns(FETCHES_MAX);

    /** What is asked for in a row and was not sent yet. */
    private final List<FutureId> soon = new ArrayList<>();

    private volatile Runnable demand = () -> {};

    /** @param results reads values */
    Completions(GatewayConnection connection, ResultReader results) {
        this.connection = connection;
        this.results = results;
        this.environment = connection.environment();
        this.feed = new OutcomeFeed(connection, this, this::fail, FutureSet.AWAITED_MAX);
    }

    /** Has {@code action} called when somebody wants a value that may not have been asked of the cluster yet. */
    void onDemand(Runnable action) {
        demand = action;
    }

    /** Reads values for the program or the tasks of this connection. */
    ResultReader results() {
        return results;
    }

    /** The clock of this connection. */
    long nanoTime() {
        return environment.nanoTime();
    }

    /** Runs what may be users' code, which may block: elsewhere as long as the connection is open. */
    void execute(Runnable task) {
        try {
            environment.blockingExecutor().execute(task);
        } catch (RejectedExecutionException closed) {
            task.run();
        }
    }

    /** Somebody wants a value whose outcome is not known. */
    void demanded() {
        demand.run();
    }

    /** Expects the outcome of a future that will be recorded, or not: then {@link #forget} it. */
    synchronized void expect(RemoteFuture<?> future) {
        waiting.computeIfAbsent(future.id(), unused -> new ArrayList<>(1)).add(future);
    }

    synchronized void forget(RemoteFuture<?> future) {
        waiting.computeIfPresent(future.id(), (id, expecting) -> {
            expecting.remove(future);
            return expecting.isEmpty() ? null : expecting;
        });
    }

    /** Expects the outcomes of the futures of a block. */
    synchronized void expect(PendingBlock block) {
        blocks.put(block.id(), block);
        block.submitted().whenComplete((done, failure) -> {
            if (failure != null) {
                forget(block);
            }
        });
    }

    private synchronized void forget(PendingBlock block) {
        blocks.remove(block.id());
    }

    /**
     * Asks for the outcomes of what is recorded, but for those that are known.
     *
     * @param told futures whose outcomes have come with the same reply
     */
    void ask(Collection<Pending> recorded, Set<FutureId> told) {
        List<FutureId> ids = new ArrayList<>();
        Map<FutureId, Integer> whole = new LinkedHashMap<>();
        for (Pending pending : recorded) {
            if (pending instanceof PendingBlock block) {
                List<FutureId> open = block.open();
                open.removeAll(told);
                if (block.isBlock() && open.size() == block.futures()) {
                    whole.put(block.id(), block.futures());
                } else {
                    ids.addAll(open);
                }
            } else {
                ids.add(pending.id());
            }
        }
        if (ids.size() + whole.size() > 0) {
            feed.await(ids, whole);
        }
    }

    /** Completes when a future that this connection may have submitted is recorded or refused; at once if it is. */
    synchronized CompletableFuture<Void> recorded(FutureId id) {
        PendingBlock block = BlockIds.isInBlock(id) ? blocks.get(BlockIds.sentAs(id)) : null;
        Stream<CompletionStage<Void>> submits = block == null
                ? waiting.getOrDefault(id, List.of()).stream().map(RemoteFuture::submitted)
                : Stream.of(block.submitted());
        return CompletableFuture.allOf(
                submits.map(submit -> submit.toCompletableFuture().handle((done, failure) -> true))
                        .toArray(CompletableFuture[]::new));
    }

    /** Asks for the outcome of a future that is recorded, together with those that are asked for in a row with it. */
    void askSoon(FutureId id) {
        synchronized (soon) {
            soon.add(id);
            if (soon.size() > 1) {
                return;
            }
        }
        GuardedCallbacks.or(() -> environment.executor().execute(this::askThose), unexpected -> askThose());
    }

    private void askThose() {
        List<FutureId> ids;
        synchronized (soon) {
            ids = List.copyOf(soon);
            soon.clear();
        }
        ask(ids);
    }

    /** Asks for the outcomes of futures that are recorded. */
    void ask(List<FutureId> ids) {
        if (!ids.isEmpty()) {
            feed.await(ids);
        }
    }

    /** Ends futures, or only their running attempts; of how many. */
    int cancel(Collection<? extends RemoteFuture<?>> futures, boolean kill) {
        int cancelled = 0;
        for (List<ByteString> ids : RecordedIds.of(futures)) {
            CancelRequest request =
                    CancelRequest.newBuilder().setKill(kill).addAllIds(ids).build();
            CancelReply reply =
                    GatewayConnection.await(connection.call((stub, answer) -> stub.cancel(request, answer)));
            cancelled += reply.getCancelledCount();
        }
        return cancelled;
    }

    /** Gives futures another priority; how many had not started. */
    int prioritize(Collection<? extends DurableFuture<?>> futures, int priority) {
        int moved = 0;
        for (List<ByteString> ids : RecordedIds.of(futures)) {
            PrioritizeRequest request = PrioritizeRequest.newBuilder()
                    .setPriority(priority)
                    .addAllIds(ids)
                    .build();
            PrioritizeReply reply =
                    GatewayConnection.await(connection.call((stub, answer) -> stub.prioritize(request, answer)));
            moved += reply.getIdsCount();
        }
        return moved;
    }

    /**
     * Reads the value of a realized future into {@code target}: on the calling thread, which may run users' code, where
     * the value has come with the outcome.
     */
    <T> void load(RemoteFuture<T> future, Outcome outcome, CompletableFuture<T> target) {
        if (outcome.getValueBytes() == 0) {
            decode(future, outcome.getInline().toByteArray(), target);
        } else {
            Consumer<RuntimeException> ending = target::completeExceptionally;
            fetching.add(ending);
            target.whenComplete((value, failure) -> fetching.remove(ending));
            fetch(future, target);
        }
    }

    private <T> void fetch(RemoteFuture<T> future, CompletableFuture<T> target) {
        fetches.take(() -> GuardedCallbacks.begin(() -> ValueFetch.start(connection, future.id())))
                .whenCompleteAsync(
                        (bytes, failure) -> {
                            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure;
                            if (cause == null) {
                                decode(future, bytes, target);
                            } else if (connection.isClosed()) {
                                target.completeExceptionally(connection.closedFailure());
                            } else if (Status.fromThrowable(cause).getCode() == Status.Code.FAILED_PRECONDITION) {
                                awaitAgain(future, target);
                            } else if (GatewayConnection.mayRetry(cause)) {
                                var unused = environment.schedule(FETCH_RETRY_MILLIS, () -> fetch(future, target));
                            } else {
                                target.completeExceptionally(ValueFetch.failure(connection, future.id(), cause));
                            }
                        },
                        this::execute);
    }

    /** The result was lost and is computed again: there will be another outcome. */
    private <T> void awaitAgain(RemoteFuture<T> future, CompletableFuture<T> target) {
        RemoteFuture<T> again = RemoteFuture.of(new RemoteFuture.Origin(
                future.id(),
                this,
                future.caller(),
                CompletableFuture.completedFuture(null),
                future.classes(),
                future.options()));
        expect(again);
        var unused = again.stage().whenComplete((value, failure) -> {
            if (failure != null) {
                target.completeExceptionally(failure);
            } else {
                target.complete(value);
            }
        });
        ask(List.of(future.id()));
    }

    @SuppressWarnings("unchecked") // The task that made the value was submitted with this type.
    private <T> void decode(RemoteFuture<T> future, byte[] bytes, CompletableFuture<T> target) {
        try {
            target.complete((T) results.read(bytes, future.classes()));
        } catch (IOException | ClassNotFoundException | RuntimeException | Error unreadable) {
            target.completeExceptionally(new RatchetException(
                    "The value of " + future.id() + " can not be read here: " + unreadable, unreadable));
        }
    }

    /** Tells whoever wants to know it a value that is not recorded yet. */
    void told(Outcome unrecorded) {
        FutureId id = Ids.of(unrecorded.getId());
        List<RemoteFuture<?>> expecting;
        synchronized (this) {
            expecting = List.copyOf(waiting.getOrDefault(id, List.of()));
        }
        expecting.forEach(future -> future.tell(unrecorded));
    }

    @Override
    public void done(FutureId id, Outcome outcome) {
        PendingBlock block = blockOf(id);
        if (block != null) {
            RemoteFuture<?> future = block.done(BlockIds.number(id));
            forgetIfDone(block);
            future.complete(outcome);
        }
        taken(id).forEach(future -> future.complete(outcome));
    }

    @Override
    public void done(FutureId id, BlockOutcome outcome) {
        PendingBlock block = blockOf(id);
        if (block != null) {
            block.done(outcome);
            forgetIfDone(block);
        }
        synchronized (this) {
            if (waiting.isEmpty()) {
                return;
            }
        }
        for (ResultRun run : outcome.getRunsList()) {
            Outcome each = PendingBlock.outcome(run, outcome);
            for (int i = 0; i < run.getFutures(); i++) {
                taken(BlockIds.future(id, run.getFirst() + i)).forEach(future -> future.complete(each));
            }
        }
    }

    /** Says that the outcome of a future will never be known here. */
    void fail(FutureId id, RuntimeException reason) {
        PendingBlock block = BlockIds.isInBlock(id) ? blockOf(id) : null;
        if (block != null) {
            block.fail(BlockIds.number(id), reason);
            forgetIfDone(block);
        }
        taken(id).forEach(future -> future.fail(reason));
    }

    /** Says that no further outcome will be known here. */
    void end(RuntimeException reason) {
        List<RemoteFuture<?>> open = new ArrayList<>();
        synchronized (this) {
            waiting.values().forEach(open::addAll);
            waiting.clear();
            blocks.values().forEach(block -> open.addAll(block.openFutures()));
            blocks.clear();
        }
        open.forEach(future -> future.fail(reason));
        fetching.forEach(ending -> ending.accept(reason));
    }

    private synchronized @Nullable PendingBlock blockOf(FutureId id) {
        return blocks.get(BlockIds.sentAs(id));
    }

    private void forgetIfDone(PendingBlock block) {
        if (block.isDone()) {
            forget(block);
        }
    }

    private synchronized List<RemoteFuture<?>> taken(FutureId id) {
        List<RemoteFuture<?>> expecting = waiting.remove(id);
        return expecting == null ? List.of() : expecting;
    }
}
