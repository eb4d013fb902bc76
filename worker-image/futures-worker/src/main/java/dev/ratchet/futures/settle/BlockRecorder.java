/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.record.BlockContent;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.ResultRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records the end of a claimed block. Small values stay in the block, which is REALIZED with them. Everything else
 * leaves it: what has failed, has a large value or changes the store, what still runs (it goes on under the same token)
 * and what was not started (it is queued for everybody). The caller has checked that the claim is in force.
 */
public final class BlockRecorder {

    private final Recorder recorder;

    public BlockRecorder(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Which futures stay in the block, with what, and the numbers of the others. */
    private record Parted(List<ResultRun> staying, List<Integer> leaving) {}

    /** Whether all futures of the block stay in it: then their arguments are not needed any more. */
    public static boolean allStay(LoadedFuture block, Map<FutureId, Optional<Outcome>> ended) {
        return part(block, ended).leaving().isEmpty();
    }

    /**
     * As the other one, with the arguments from the store where they are needed; and for those that have left the block
     * since it was claimed and go on under its claim.
     *
     * @param claimed the block as it was claimed
     */
    public CompletableFuture<List<LoadedFuture>> record(
            FutureTransaction futures,
            LoadedFuture block,
            FutureRecord claimed,
            Map<FutureId, Optional<Outcome>> ended) {
        CompletableFuture<List<ByteString>> arguments =
                allStay(block, ended) ? CompletableFuture.completedFuture(List.of()) : futures.arguments(block);
        return recordLeft(futures, block, claimed, ended).thenCombine(arguments, (done, values) -> Stream.concat(
                        done.stream(), record(futures, block, ended, values).stream())
                .toList());
    }

    /** Records for those alone that have left the block since it was claimed. */
    CompletableFuture<List<LoadedFuture>> recordLeft(
            FutureTransaction futures,
            LoadedFuture block,
            FutureRecord claimed,
            Map<FutureId, Optional<Outcome>> ended) {
        List<FutureId> left = Arrays.stream(BlockFutures.numbers(claimed))
                .filter(number -> !BlockFutures.contains(block.record(), number))
                .mapToObj(number -> BlockIds.future(block.id(), number))
                .toList();
        return futures.loadAll(left).thenApply(loaded -> {
            List<LoadedFuture> running = loaded.stream()
                    .filter(future -> future.isClaimedBy(claimed.getClaim()))
                    .toList();
            running.forEach(
                    future -> leave(futures, future, ended.containsKey(future.id()), outcome(ended, future.id())));
            return running.stream()
                    .filter(future -> Lifecycle.isDone(future.state()))
                    .toList();
        });
    }

    /**
     * Records.
     *
     * @param ended how those that were started have ended; empty: still going on
     * @return those that are done: the block, and what has left it
     */
    public List<LoadedFuture> record(
            FutureTransaction futures,
            LoadedFuture block,
            Map<FutureId, Optional<Outcome>> ended,
            List<ByteString> arguments) {
        Parted parted = part(block, ended);
        List<LoadedFuture> done = new ArrayList<>();
        for (int number : parted.leaving()) {
            LoadedFuture future = futures.take(block, number, BlockContent.argument(arguments, number));
            leave(futures, future, ended.containsKey(future.id()), outcome(ended, future.id()));
            if (Lifecycle.isDone(future.state())) {
                done.add(future);
            }
        }
        if (!parted.staying().isEmpty()) {
            stay(futures, block, parted.staying());
            done.add(block);
        }
        return done;
    }

    private static Parted part(LoadedFuture block, Map<FutureId, Optional<Outcome>> ended) {
        List<ResultRun> staying = new ArrayList<>();
        List<Integer> leaving = new ArrayList<>();
        ResultRun.Builder run = ResultRun.newBuilder();
        int bytes = 0;
        for (int number : BlockFutures.numbers(block.record())) {
            Optional<ByteString> value = smallValue(outcome(ended, BlockIds.future(block.id(), number)));
            if (value.isEmpty() || bytes + value.get().size() > BlockContent.RESULT_BYTES_MAX) {
                leaving.add(number);
            } else if (run.getFutures() > 0
                    && run.getFirst() + run.getFutures() == number
                    && run.getValue().equals(value.get())) {
                run.setFutures(run.getFutures() + 1);
            } else {
                if (run.getFutures() > 0) {
                    staying.add(run.build());
                }
                run.setFirst(number).setFutures(1).setValue(value.get());
                bytes += value.get().size();
            }
        }
        if (run.getFutures() > 0) {
            staying.add(run.build());
        }
        return new Parted(staying, leaving);
    }

    private static Optional<ByteString> smallValue(@Nullable Outcome ended) {
        return ended instanceof Outcome.Realized realized
                        && realized.result().hasInline()
                        && realized.effects().isEmpty()
                ? Optional.of(realized.result().getInline())
                : Optional.empty();
    }

    private void leave(FutureTransaction futures, LoadedFuture future, boolean started, @Nullable Outcome ended) {
        if (!started) {
            recorder.giveBack(futures, future);
        } else if (ended != null && ended.effects().isEmpty()) {
            recorder.end(futures, future, ended);
        } else {
            future.change();
        }
    }

    /** How a future has ended; null if it has not, or was not started. */
    private static @Nullable Outcome outcome(Map<FutureId, Optional<Outcome>> ended, FutureId id) {
        return ended.getOrDefault(id, Optional.empty()).orElse(null);
    }

    private void stay(FutureTransaction futures, LoadedFuture block, List<ResultRun> staying) {
        BlockContent content = new BlockContent(futures.keys(), block.id());
        content.clearArguments(futures.transaction());
        block.change().clearArgumentChunks().clearArgumentBytes();
        int chunks = content.setResults(futures.transaction(), staying);
        futures.realized(block, staying);
        recorder.realize(futures, block, Result.newBuilder().setChunks(chunks).build());
    }
}
