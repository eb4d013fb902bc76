/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.FutureSet;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.settle.OutcomeListener;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.AwaitedBlock;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One client's stream of outcomes. Outcomes wait here while the client is slow, each once; what they hold is bounded by
 * what the client has asked for. Safe for use by several threads.
 */
final class AwaitStream implements StreamObserver<AwaitRequest>, OutcomeListener {

    private static final int BATCH_BYTES_MAX = 1 << 20;

    /** Futures that one message asks for, and blocks. */
    private static final int ASKED_MAX = 1_000;

    private final Waiters waiters;
    private final Supplier<Awaiting> awaiting;
    private final String seat;
    private final ServerCallStreamObserver<OutcomeBatch> client;
    private final Function<FutureId, CompletableFuture<List<ResultRun>>> results;
    private final FutureSet asked = new FutureSet();
    /** Blocks that are being looked at, and whether there is a reason to look once more. */
    private final Map<FutureId, Boolean> looks = new HashMap<>();
    /** Those that have left their block and are registered by themselves. */
    private final Set<FutureId> alone = new HashSet<>();

    private final Deque<Outcome> ready = new ArrayDeque<>();
    private final Deque<BlockOutcome> readyBlocks = new ArrayDeque<>();
    private boolean ended;

    /** @param results reads those of a block that is done */
    AwaitStream(
            Waiters waiters,
            Supplier<Awaiting> awaiting,
            Function<FutureId, CompletableFuture<List<ResultRun>>> results,
            String seat,
            ServerCallStreamObserver<OutcomeBatch> client) {
        this.results = results;
        this.waiters = waiters;
        this.awaiting = awaiting;
        this.seat = seat;
        this.client = client;
        client.setOnReadyHandler(this::send);
        client.setOnCancelHandler(this::end);
    }

    @Override
    public void onNext(AwaitRequest request) {
        try {
            ask(request);
        } catch (IllegalArgumentException unusable) {
            fail(Status.INVALID_ARGUMENT, String.valueOf(unusable.getMessage()));
        }
    }

    private void ask(AwaitRequest request) {
        if (Math.max(request.getIdsCount(), request.getBlocksCount()) > ASKED_MAX) {
            throw new IllegalArgumentException(
                    "A message asks for at most " + ASKED_MAX + " futures and as many blocks,"
                            + " not " + request.getIdsCount() + " and " + request.getBlocksCount()
                            + ". Ask for the others in further messages.");
        }
        Set<FutureId> ids = new LinkedHashSet<>();
        synchronized (this) {
            for (ByteString bytes : request.getIdsList()) {
                FutureId id = Ids.of(bytes);
                asked.add(id);
                ids.add(BlockIds.sentAs(id));
            }
            for (AwaitedBlock block : request.getBlocksList()) {
                FutureId id = Ids.of(block.getId());
                asked.add(id, 1, Math.clamp(block.getFutures(), 1, BlockIds.FUTURES_MAX));
                ids.add(id);
            }
            if (asked.size() > FutureSet.AWAITED_MAX) {
                fail(
                        Status.RESOURCE_EXHAUSTED,
                        "A stream awaits at most " + FutureSet.AWAITED_MAX
                                + " futures at once. Ask for the others once some have ended, or on another stream.");
                return;
            }
        }
        ids.forEach(id -> waiters.add(id, this));
        register(ids.stream()
                .filter(id -> !BlockIds.isBlock(id) || beginLook(id))
                .toList());
    }

    /**
     * Whether to look at a block now. If that is going on it is done once more at its end: a client that asks for the
     * futures of a block one by one, or a block that changes with each of them, has it read a few times and not as
     * often as it has futures.
     */
    private synchronized boolean beginLook(FutureId block) {
        return !looks.merge(block, false, (before, now) -> true);
    }

    private void endLook(FutureId block) {
        boolean again;
        synchronized (this) {
            again = Boolean.TRUE.equals(looks.remove(block)) && !ended && asked.hasAny(block);
            if (again) {
                looks.put(block, false);
            }
        }
        if (again) {
            register(List.of(block));
        }
    }

    private void register(List<FutureId> ids) {
        for (int from = 0; from < ids.size(); from += Awaiting.BATCH_MAX) {
            List<FutureId> some = ids.subList(from, Math.min(ids.size(), from + Awaiting.BATCH_MAX));
            GuardedCallbacks.begin(() -> awaiting.get().register(seat, some))
                    .whenComplete((records, failure) -> orFail(() -> {
                        if (failure != null) {
                            fail(Status.UNAVAILABLE, "The futures can not be read: " + failure);
                            return;
                        }
                        some.forEach(id -> answer(id, Optional.ofNullable(records.get(id))));
                        send();
                    }));
        }
    }

    private void answer(FutureId id, Optional<FutureRecord> record) {
        if (BlockIds.isBlock(id)) {
            answerBlock(id, record);
        } else if (record.isEmpty()) {
            offer(id, Outcomes.unknown(id));
        } else if (Lifecycle.isDone(record.get().getState())) {
            offer(id, Outcomes.of(id, record.get()));
        }
    }

    /**
     * Answers for those that are in the block, once it is done; those that have left it are asked for one by one. Ends
     * the look at it.
     */
    private void answerBlock(FutureId block, Optional<FutureRecord> record) {
        registerAlone(block, number -> record.isEmpty() || !BlockFutures.contains(record.get(), number));
        if (record.isEmpty() || !Lifecycle.isDone(record.get().getState())) {
            endLook(block);
            return;
        }
        GuardedCallbacks.begin(() -> results.apply(block))
                .whenComplete((runs, failure) -> orFail(() -> {
                    if (failure != null) {
                        fail(Status.UNAVAILABLE, "The results can not be read: " + failure);
                        return;
                    }
                    offer(block, runs, record.get());
                    registerAlone(block, number -> BlockFutures.contains(record.get(), number));
                    endLook(block);
                    send();
                }));
    }

    /** What can not be told ends the stream: the client asks again, and is not left waiting. */
    private void orFail(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | Error unexpected) {
            fail(Status.UNAVAILABLE, "An outcome can not be told: " + unexpected);
        }
    }

    /** Registers those of a block that fit by themselves, each once. */
    private void registerAlone(FutureId block, IntPredicate fits) {
        List<FutureId> left;
        synchronized (this) {
            left = asked.of(block, fits).stream().filter(alone::add).toList();
        }
        register(left);
    }

    @Override
    public void done(FutureId id, FutureRecord record) {
        orFail(() -> tell(id, record));
    }

    private void tell(FutureId id, FutureRecord record) {
        if (BlockIds.isBlock(id)) {
            if (beginLook(id)) {
                answerBlock(id, Optional.of(record));
            }
        } else if (Lifecycle.isDone(record.getState())) {
            offer(id, Outcomes.of(id, record));
            send();
        } else {
            // Its result was lost between the message and its reading.
            waiters.add(id, this);
            register(List.of(id));
        }
    }

    private synchronized void offer(FutureId id, Outcome outcome) {
        if (!ended && asked.take(id)) {
            alone.remove(id);
            ready.add(outcome);
            forget(BlockIds.sentAs(id));
        }
    }

    private synchronized void offer(FutureId block, List<ResultRun> runs, FutureRecord record) {
        List<ResultRun> inside =
                runs.stream().flatMap(run -> inside(run, record)).toList();
        List<ResultRun> wanted = ended ? List.of() : asked.take(block, inside);
        if (!wanted.isEmpty()) {
            readyBlocks.add(Outcomes.of(block, wanted, record));
            forget(block);
        }
    }

    /** The parts of a run that are about futures that are in the block. */
    private static Stream<ResultRun> inside(ResultRun run, FutureRecord block) {
        int[] numbers = IntStream.range(run.getFirst(), run.getFirst() + run.getFutures())
                .filter(number -> BlockFutures.contains(block, number))
                .toArray();
        return numbers.length == run.getFutures()
                ? Stream.of(run)
                : IntStream.of(numbers)
                        .mapToObj(number ->
                                run.toBuilder().setFirst(number).setFutures(1).build());
    }

    private void forget(FutureId sentAs) {
        if (!BlockIds.isBlock(sentAs) || !asked.hasAny(sentAs)) {
            waiters.remove(sentAs, this);
        }
    }

    private void send() {
        orFail(this::sendWhatIsReady);
    }

    private synchronized void sendWhatIsReady() {
        while (!ended && !(ready.isEmpty() && readyBlocks.isEmpty()) && client.isReady()) {
            OutcomeBatch.Builder batch = OutcomeBatch.newBuilder();
            int bytes = 0;
            while (!ready.isEmpty() && bytes < BATCH_BYTES_MAX) {
                Outcome outcome = ready.remove();
                bytes += outcome.getSerializedSize();
                batch.addOutcomes(outcome);
            }
            while (!readyBlocks.isEmpty() && bytes < BATCH_BYTES_MAX) {
                BlockOutcome outcome = readyBlocks.remove();
                bytes += outcome.getSerializedSize();
                batch.addBlocks(outcome);
            }
            client.onNext(batch.build());
        }
    }

    private synchronized void fail(Status status, String description) {
        if (!ended) {
            end();
            GuardedCallbacks.run(
                    "ending a stream of outcomes",
                    () -> client.onError(status.withDescription(description).asRuntimeException()));
        }
    }

    private synchronized void end() {
        ended = true;
        ready.clear();
        readyBlocks.clear();
        asked.clear();
        alone.clear();
        looks.clear();
        waiters.remove(this);
    }

    @Override
    public void onError(Throwable gone) {
        end();
    }

    @Override
    public synchronized void onCompleted() {
        if (!ended) {
            end();
            client.onCompleted();
        }
    }
}
