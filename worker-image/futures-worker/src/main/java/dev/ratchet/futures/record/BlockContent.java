/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.record;

import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.ratchet.client.FutureId;
import dev.ratchet.protocol.futures.v1.BlockArguments;
import dev.ratchet.protocol.futures.v1.BlockResults;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.store.keyspace.ValueFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * What the futures of a block differ in, kept beside its record: arguments, until all of them are done, then results.
 * Equal ones are kept once. Results are in chunks by the number of their first future, so that one is found by one
 * read. Immutable.
 */
public final class BlockContent {

    /** What all results of a block may have together; those beyond are in records of their own. */
    public static final int RESULT_BYTES_MAX = 500_000;

    private static final int CHUNK_BYTES = 60_000;
    private static final int RUN_BYTES = 16;
    private static final int CHUNKS_MAX = 1_000;

    private final FutureKeys keys;
    private final FutureId block;

    public BlockContent(FutureKeys keys, FutureId block) {
        this.keys = keys;
        this.block = block;
    }

    /** Writes the arguments. */
    public void setArguments(Transaction transaction, List<ByteString> arguments) {
        byte[] value =
                BlockArguments.newBuilder().addAllValues(arguments).build().toByteArray();
        keys.arguments.set(transaction, value, block.value(), 0);
    }

    /** The arguments as they were written; empty if nobody needs them any more. */
    public CompletableFuture<List<ByteString>> arguments(ReadTransaction transaction) {
        return transaction.get(keys.arguments.key(block.value(), 0)).thenApply(value -> {
            try {
                return value == null
                        ? List.of()
                        : BlockArguments.parseFrom(value).getValuesList();
            } catch (InvalidProtocolBufferException damaged) {
                throw new ValueFormatException("The arguments of block " + block + " can not be read: " + damaged);
            }
        });
    }

    /** The argument of one future. */
    public static ByteString argument(List<ByteString> arguments, int number) {
        return arguments.isEmpty() ? ByteString.EMPTY : arguments.get(arguments.size() == 1 ? 0 : number - 1);
    }

    /** The results by the numbers of futures. */
    public static IntFunction<ByteString> byNumber(List<ResultRun> runs) {
        Map<Integer, ByteString> values = new HashMap<>();
        for (ResultRun run : runs) {
            for (int i = 0; i < run.getFutures(); i++) {
                values.put(run.getFirst() + i, run.getValue());
            }
        }
        return number -> values.getOrDefault(number, ByteString.EMPTY);
    }

    /** Writes results, in the order of their numbers; in how many chunks. */
    public int setResults(Transaction transaction, List<ResultRun> runs) {
        int chunks = 0;
        int bytes = 0;
        BlockResults.Builder chunk = BlockResults.newBuilder();
        for (ResultRun run : runs) {
            int size = run.getValue().size() + RUN_BYTES;
            if (chunk.getRunsCount() > 0 && bytes + size > CHUNK_BYTES) {
                set(transaction, chunk);
                chunks++;
                chunk.clear();
                bytes = 0;
            }
            chunk.addRuns(run);
            bytes += size;
        }
        if (chunk.getRunsCount() > 0) {
            set(transaction, chunk);
            chunks++;
        }
        return chunks;
    }

    private void set(Transaction transaction, BlockResults.Builder chunk) {
        keys.results.set(
                transaction, chunk.build(), block.value(), chunk.getRuns(0).getFirst());
    }

    /** All results, also of futures that have left since. */
    public CompletableFuture<List<ResultRun>> results(ReadTransaction transaction) {
        return transaction
                .getRange(keys.results.range(block.value()), CHUNKS_MAX, false, StreamingMode.WANT_ALL)
                .asList()
                .thenApply(chunks -> {
                    List<ResultRun> runs = new ArrayList<>();
                    chunks.forEach(chunk ->
                            runs.addAll(keys.results.decode(chunk.getValue()).getRunsList()));
                    return runs;
                });
    }

    /** The result of one future. */
    public CompletableFuture<Optional<ByteString>> result(ReadTransaction transaction, int number) {
        return transaction
                .getRange(
                        KeySelector.firstGreaterOrEqual(keys.results.range(block.value()).begin),
                        KeySelector.firstGreaterThan(keys.results.key(block.value(), number)),
                        1,
                        true,
                        StreamingMode.WANT_ALL)
                .asList()
                .thenApply(found -> found.stream()
                        .map(KeyValue::getValue)
                        .flatMap(value -> keys.results.decode(value).getRunsList().stream())
                        .filter(run -> run.getFirst() <= number && number < run.getFirst() + run.getFutures())
                        .map(ResultRun::getValue)
                        .findFirst());
    }

    /** Clears the arguments. */
    public void clearArguments(Transaction transaction) {
        keys.arguments.clearAll(transaction, block.value());
    }

    /** Clears the results. */
    public void clearResults(Transaction transaction) {
        keys.results.clearAll(transaction, block.value());
    }
}
