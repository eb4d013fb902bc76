/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.log;

import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.dataflow.InputFullException;
import dev.ratchet.dataflow.InputLog;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.record.Counter;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.dataflow.record.LastReceived;
import dev.ratchet.dataflow.record.LogPosition;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The input log in the store. One transaction appends a request and notes its sequence as the producer's last, so that
 * whatever is repeated, through whichever worker, is there once. Requests of different producers never conflict: their
 * positions are given by the store when it commits. Safe for use by several threads.
 */
public final class StoredInputLog implements InputLog {

    /** Begins the names of producers that are sources of the circuit itself. */
    public static final String SOURCE_PREFIX = "input:";

    private static final int CHUNK_BYTES = 90_000;
    private static final long RETRY_MILLIS = 250;
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final int FORMAT_AND_SEQUENCE_BYTES = 1 + Long.BYTES;

    private final DataflowStore store;
    private final Supplier<CompiledProgram> program;
    private final InputLimits limits;

    /**
     * A log of the circuit in the store.
     *
     * @param program that the rows are for; throws what an append is to fail with where it is not known
     */
    public StoredInputLog(DataflowStore store, Supplier<CompiledProgram> program, InputLimits limits) {
        this.store = store;
        this.program = program;
        this.limits = limits;
    }

    /** What one attempt to append has found or written. */
    private record Attempt(
            @Nullable LastReceived before, @Nullable CompletableFuture<byte[]> stamp) {}

    /** Whether a request is appended, by the last sequence of its producer; -1 for none. */
    private interface Follows {
        boolean test(long last);
    }

    @Override
    public CompletableFuture<Received> append(InputRequest request) {
        if (request.producer().startsWith(SOURCE_PREFIX)) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("The producer '" + request.producer()
                    + "' has the name of an input of the circuit itself; choose one that does not begin with '"
                    + SOURCE_PREFIX + "'"));
        }
        return append(request, last -> request.sequence() > last);
    }

    /**
     * Appends what follows a sequence of a source: as {@link #append}, but only where the producer's last sequence is
     * {@code before}, -1 for none. Where it is another one, nothing is added, and the answer has that one.
     */
    public CompletableFuture<Received> appendBehind(InputRequest request, long before) {
        return append(request, last -> last == before);
    }

    private CompletableFuture<Received> append(InputRequest request, Follows follows) {
        LogRecord head;
        List<byte[]> chunks;
        try {
            head = RequestCheck.check(request, program.get(), limits);
            chunks = DataflowStore.chunks(joined(request, (int) head.getBytes()), CHUNK_BYTES);
        } catch (IllegalArgumentException | InputFullException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        LogRecord record = head.toBuilder().setChunks(chunks.size()).build();
        return store.database()
                .runAsync(transaction -> append(transaction, record, chunks, follows))
                .thenCompose(attempt -> answer(record, attempt));
    }

    private static byte[] joined(InputRequest request, int bytes) {
        ByteBuffer all = ByteBuffer.allocate(bytes);
        for (TableRows rows : request.tables()) {
            all.put(rows.rows());
        }
        return all.array();
    }

    private CompletableFuture<Attempt> append(
            Transaction transaction, LogRecord record, List<byte[]> chunks, Follows follows) {
        transaction.options().setTimeout(TIMEOUT_MILLIS);
        CompletableFuture<@Nullable LastReceived> last = record.getProducer().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : transaction
                        .get(store.producers().key(record.getProducer()))
                        .thenApply(store.producers()::decodeOrNull);
        CompletableFuture<Long> waiting = store.counted(transaction.snapshot(), Counter.WAITING_BYTES);
        CompletableFuture<Long> logged = store.counted(transaction.snapshot(), Counter.LOGGED_BYTES);
        return CompletableFuture.allOf(last, waiting, logged).thenApply(all -> {
            LastReceived before = last.join();
            if (!record.getProducer().isEmpty() && !follows.test(before == null ? -1 : before.sequence())) {
                return new Attempt(before == null ? new LastReceived(-1, LogPosition.START) : before, null);
            }
            requireRoom(waiting.join(), limits.waitingBytes(), "wait for a step");
            requireRoom(logged.join(), limits.loggedBytes(), "are kept until the state behind them is durable");
            write(transaction, record, chunks);
            return new Attempt(null, transaction.getVersionstamp());
        });
    }

    private static void requireRoom(long bytes, long max, String what) {
        if (bytes >= max) {
            throw new InputFullException(
                    bytes + " bytes of input " + what + ", the limit is " + max + "; try again later", RETRY_MILLIS);
        }
    }

    private void write(Transaction transaction, LogRecord record, List<byte[]> chunks) {
        store.log().append(transaction, new Tuple(), 0, new Tuple(), record);
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            store.rows().append(transaction, new Tuple(), 0, Tuple.from(chunk), chunks.get(chunk));
        }
        if (!record.getProducer().isEmpty()) {
            LastReceived received = new LastReceived(record.getSequence(), LogPosition.START);
            store.producers().setStamped(transaction, received, FORMAT_AND_SEQUENCE_BYTES, record.getProducer());
        }
        store.count(transaction, Counter.APPENDED, 1);
        store.count(transaction, Counter.WAITING_BYTES, record.getBytes());
        store.count(transaction, Counter.LOGGED_BYTES, record.getBytes());
    }

    private static CompletableFuture<Received> answer(LogRecord record, Attempt attempt) {
        LastReceived before = attempt.before();
        if (before != null) {
            return CompletableFuture.completedFuture(
                    new Received(before.sequence(), LogPosition.shown(before.position()), true));
        }
        return Objects.requireNonNull(attempt.stamp())
                .thenApply(stamp ->
                        new Received(record.getSequence(), LogPosition.shown(Versionstamp.complete(stamp)), false));
    }

    @Override
    public CompletableFuture<Received> received(String producer) {
        return store.database()
                .readAsync(transaction -> transaction.get(store.producers().key(producer)))
                .thenApply(bytes -> {
                    LastReceived last = store.producers().decodeOrNull(bytes);
                    return last == null
                            ? new Received(-1, "", false)
                            : new Received(last.sequence(), LogPosition.shown(last.position()), false);
                });
    }
}
