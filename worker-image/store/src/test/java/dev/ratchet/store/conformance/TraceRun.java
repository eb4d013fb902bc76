/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MutationType;
import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.StreamingMode;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays one trace on a database, operation by operation, and tells the answers that are not the recorded ones. An
 * answer is a short text such as {@code value 6162} or {@code error 1020 thrown}.
 */
final class TraceRun {

    private static final long ANSWER_SECONDS = 30;
    private static final long PENDING_MILLIS = 30;
    private static final Map<String, Integer> OPTIONS = Map.ofEntries(
            Map.entry("causal_write_risky", 10),
            Map.entry("causal_read_risky", 20),
            Map.entry("next_write_no_write_conflict_range", 30),
            Map.entry("read_your_writes_disable", 51),
            Map.entry("priority_system_immediate", 200),
            Map.entry("access_system_keys", 301),
            Map.entry("read_system_keys", 302),
            Map.entry("retry_limit", 501),
            Map.entry("max_retry_delay", 502),
            Map.entry("size_limit", 503),
            Map.entry("snapshot_ryw_enable", 600),
            Map.entry("snapshot_ryw_disable", 601),
            Map.entry("lock_aware", 700),
            Map.entry("used_during_commit_protection_disable", 701),
            Map.entry("report_conflicting_keys", 712),
            Map.entry("special_key_space_relaxed", 713),
            Map.entry("special_key_space_enable_writes", 714),
            Map.entry("tag", 800),
            Map.entry("bypass_unreadable", 1100),
            Map.entry("no_such_option", 9999));

    private final Database database;
    private final Trace trace;
    private final TraceText text = new TraceText();
    private final Map<Integer, Slot> slots = new HashMap<>();
    private final Map<String, CompletableFuture<byte[]>> stamps = new HashMap<>();
    private final Map<String, String> stampVersions = new HashMap<>();
    private final Map<String, CompletableFuture<Void>> watches = new HashMap<>();
    private final Map<String, CompletableFuture<byte[]>> gets = new HashMap<>();
    private long newestCommitted;
    private long newestSeen;

    /** One of the transactions that a trace works with at a time. */
    private static final class Slot {
        private @Nullable Transaction transaction;
        private @Nullable Transaction stale;
        private @Nullable CompletableFuture<Void> commit;
        private long seenAtCommit;
        private @Nullable String commitLabel;
        private @Nullable Long literalVersion;
        private long oldestRead;
        private final List<String> readLabels = new ArrayList<>();
        private final List<String> stampLabels = new ArrayList<>();

        void renew(Transaction next, long newestCommitted) {
            stale = transaction;
            transaction = next;
            commit = null;
            commitLabel = null;
            literalVersion = null;
            oldestRead = newestCommitted;
            readLabels.clear();
            stampLabels.clear();
        }
    }

    TraceRun(Database database, Trace trace) {
        this.database = database;
        this.trace = trace;
    }

    /** The differences, each with the operation and both answers. The database is erased first. */
    List<String> differences() {
        try (Transaction erasing = database.createTransaction()) {
            erasing.clear(new byte[0], new byte[] {(byte) 0xff});
            erasing.commit().join();
        }
        List<String> differences = new ArrayList<>();
        int index = 0;
        for (JsonNode operation : trace.operations()) {
            index++;
            String recorded;
            String answer;
            try {
                answer = run(operation);
                recorded = recorded(operation.get("result"));
            } catch (TraceText.UnboundLabelException e) {
                recorded = operation.get("result").toString();
                answer = String.valueOf(e.getMessage());
            }
            boolean either = recorded.equals("watch either") && answer.startsWith("watch ");
            if (!either && !recorded.equals(answer)) {
                differences.add("%s #%d %s%n   recorded %s%n   answered %s"
                        .formatted(trace.name(), index, operation, recorded, answer));
            }
        }
        for (Slot slot : slots.values()) {
            if (slot.transaction != null) {
                slot.transaction.close();
            }
        }
        return differences;
    }

    private String recorded(JsonNode result) {
        if (result.has("error")) {
            return "error " + result.get("error") + (result.has("thrown") ? " thrown" : "");
        }
        if (result.has("exception")) {
            return result.get("exception").textValue() + (result.has("thrown") ? " thrown" : "");
        }
        if (result.has("rows")) {
            StringBuilder rows = new StringBuilder("rows");
            result.get("rows").forEach(row -> rows.append(' ')
                    .append(TraceText.hex(text.decode(row.get(0).textValue())))
                    .append('=')
                    .append(TraceText.hex(text.decode(row.get(1).textValue()))));
            return rows.toString();
        }
        String name = result.fieldNames().next();
        JsonNode value = result.get(name);
        boolean bytes = name.equals("value") || name.equals("key");
        return name + " "
                + (bytes && value.isTextual()
                        ? TraceText.hex(text.decode(value.textValue()))
                        : value.isTextual() ? value.textValue() : value.toString());
    }

    private String run(JsonNode op) {
        return switch (op.get("op").textValue()) {
            case "dump" -> dump();
            case "begin" -> begin(op);
            case "getJoin" -> {
                CompletableFuture<byte[]> get = gets.get(op.get("id").textValue());
                yield get == null ? "none true" : answer(() -> get, value -> "value " + TraceText.hex(value));
            }
            case "awaitVersionstamp" -> awaitVersionstamp(op);
            case "watchState" -> watchState(op);
            case "cancelWatch" ->
                quietly(() -> watches.get(op.get("id").textValue()).cancel(true));
            default -> inSlot(op, slots.get(op.get("t").intValue()));
        };
    }

    private String dump() {
        try (Transaction transaction = database.createTransaction()) {
            return answer(
                    () -> transaction
                            .getRange(new byte[0], new byte[] {(byte) 0xff})
                            .asList(),
                    TraceRun::rows);
        }
    }

    private String begin(JsonNode op) {
        Slot slot = slots.computeIfAbsent(op.get("t").intValue(), number -> new Slot());
        return quietly(() -> {
            if (slot.transaction != null) {
                slot.transaction.close();
            }
            slot.renew(database.createTransaction(), newestCommitted);
        });
    }

    private String inSlot(JsonNode op, Slot slot) {
        Transaction tx = op.path("stale").booleanValue() ? slot.stale : slot.transaction;
        ReadTransaction reads = op.path("snapshot").booleanValue() ? tx.snapshot() : tx;
        return switch (op.get("op").textValue()) {
            case "close" -> quietly(tx::close);
            case "cancel" -> quietly(tx::cancel);
            case "get" -> {
                byte[] key = bytes(op, "key");
                yield answer(() -> reads.get(key), value -> "value " + TraceText.hex(value));
            }
            case "getStart" -> {
                byte[] key = bytes(op, "key");
                yield started(
                        () -> reads.get(key), future -> gets.put(op.get("id").textValue(), future));
            }
            case "getKey" -> {
                KeySelector selector = selector(op, "selector");
                yield answer(() -> reads.getKey(selector), key -> "key " + TraceText.hex(key));
            }
            case "getRange" -> getRange(op, reads);
            case "getReadVersion" -> answer(reads::getReadVersion, version -> readVersion(op, slot, version));
            case "setReadVersion" -> setReadVersion(op, slot, reads);
            case "option" ->
                quietly(() -> tx.options()
                        .getOptionConsumer()
                        .setOption(OPTIONS.get(op.get("name").textValue()), optionValue(op.get("value"))));
            case "getVersionstamp" ->
                started(tx::getVersionstamp, future -> {
                    String label = op.get("as").textValue();
                    stamps.put(label, future);
                    slot.stampLabels.add(label);
                });
            case "watch" -> {
                byte[] key = bytes(op, "key");
                yield started(
                        () -> tx.watch(key), future -> watches.put(op.get("id").textValue(), future));
            }
            case "commitStart" -> commitStart(slot, tx);
            case "commitJoin" -> commitJoin(op, slot);
            case "commit" -> {
                String start = commitStart(slot, tx);
                yield start.startsWith("ok") ? commitJoin(op, slot) : start;
            }
            case "getCommittedVersion" -> committedVersion(slot, tx);
            case "onError" ->
                onError(slot, tx, new FDBException("replayed", op.get("code").intValue()));
            case "onErrorOther" -> onError(slot, tx, new IllegalStateException("replayed"));
            default -> writeOrConflict(op, tx, reads);
        };
    }

    private String writeOrConflict(JsonNode op, Transaction tx, ReadTransaction reads) {
        byte[] key = bytes(op, op.has("key") ? "key" : "begin");
        byte[] end = bytes(op, "end");
        byte[] value = bytes(op, "value");
        byte[] param = bytes(op, "param");
        return switch (op.get("op").textValue()) {
            case "set" -> quietly(() -> tx.set(key, value));
            case "clear" -> quietly(() -> tx.clear(key));
            case "clearRange" -> quietly(() -> tx.clear(key, end));
            case "mutate" ->
                quietly(() -> tx.mutate(MutationType.valueOf(op.get("type").textValue()), key, param));
            case "addReadConflictKey" -> quietly(() -> tx.addReadConflictKey(key));
            case "addReadConflictRange" -> quietly(() -> tx.addReadConflictRange(key, end));
            case "addWriteConflictKey" -> quietly(() -> tx.addWriteConflictKey(key));
            case "addWriteConflictRange" -> quietly(() -> tx.addWriteConflictRange(key, end));
            case "addReadConflictKeyIfNotSnapshot" -> flag(() -> reads.addReadConflictKeyIfNotSnapshot(key));
            case "addReadConflictRangeIfNotSnapshot" -> flag(() -> reads.addReadConflictRangeIfNotSnapshot(key, end));
            default -> throw new IllegalArgumentException("unknown operation " + op);
        };
    }

    private String getRange(JsonNode op, ReadTransaction reads) {
        int limit = op.path("limit").intValue();
        boolean reverse = op.path("reverse").booleanValue();
        StreamingMode mode = StreamingMode.valueOf(op.path("mode").asText("ITERATOR"));
        Supplier<AsyncIterable<KeyValue>> query;
        if (op.has("begin")) {
            byte[] begin = bytes(op, "begin");
            byte[] end = bytes(op, "end");
            query = () -> reads.getRange(begin, end, limit, reverse, mode);
        } else {
            KeySelector begin = selector(op, "beginSelector");
            KeySelector end = selector(op, "endSelector");
            query = () -> reads.getRange(begin, end, limit, reverse, mode);
        }
        if (!op.path("iterate").booleanValue()) {
            return answer(() -> query.get().asList(), TraceRun::rows);
        }
        AsyncIterator<KeyValue> iterator;
        try {
            iterator = query.get().iterator();
        } catch (RuntimeException e) {
            return failure(e, true);
        }
        List<KeyValue> rows = new ArrayList<>();
        while (true) {
            String more = answer(iterator::onHasNext, String::valueOf);
            if (!more.equals("true")) {
                return more.equals("false") ? rows(rows) : more;
            }
            rows.add(iterator.next());
        }
    }

    private static String rows(List<KeyValue> list) {
        StringBuilder rows = new StringBuilder("rows");
        for (KeyValue row : list) {
            rows.append(' ').append(TraceText.hex(row.getKey())).append('=').append(TraceText.hex(row.getValue()));
        }
        return rows.toString();
    }

    private String readVersion(JsonNode op, Slot slot, long version) {
        String label = op.get("as").textValue();
        text.bind(label, version);
        if (slot.literalVersion != null && slot.literalVersion == version) {
            return "version " + version;
        }
        for (String earlier : slot.readLabels) {
            if (text.version(earlier) == version) {
                return "version " + earlier;
            }
        }
        slot.readLabels.add(label);
        newestSeen = Math.max(newestSeen, version);
        return "version " + label + (version < slot.oldestRead ? " older than a commit that had finished" : "");
    }

    private String setReadVersion(JsonNode op, Slot slot, ReadTransaction reads) {
        JsonNode version = op.get("version");
        if (version.isTextual()) {
            long bound = text.version(version.textValue());
            slot.readLabels.add(version.textValue());
            return quietly(() -> reads.setReadVersion(bound));
        }
        slot.literalVersion = version.longValue();
        return quietly(() -> reads.setReadVersion(version.longValue()));
    }

    private String commitStart(Slot slot, Transaction tx) {
        slot.seenAtCommit = newestSeen;
        return started(tx::commit, future -> slot.commit = future);
    }

    private String commitJoin(JsonNode op, Slot slot) {
        CompletableFuture<Void> commit = slot.commit;
        slot.commit = null;
        return answer(() -> commit, nothing -> {
            long version = slot.transaction.getCommittedVersion();
            if (version == -1) {
                return "version -1";
            }
            String label = op.get("as").textValue();
            text.bind(label, version);
            slot.commitLabel = label;
            slot.stampLabels.forEach(stamp -> stampVersions.put(stamp, label));
            newestCommitted = Math.max(newestCommitted, version);
            newestSeen = Math.max(newestSeen, version);
            return "version " + label + (version <= slot.seenAtCommit ? " not above all seen before" : "");
        });
    }

    private String committedVersion(Slot slot, Transaction tx) {
        try {
            long version = tx.getCommittedVersion();
            boolean own = slot.commitLabel != null && version == text.version(slot.commitLabel);
            return "version " + (own ? slot.commitLabel : version == -1 ? "-1" : "unknown");
        } catch (RuntimeException e) {
            return failure(e, false);
        }
    }

    private String awaitVersionstamp(JsonNode op) {
        String label = op.get("as").textValue();
        CompletableFuture<byte[]> future = stamps.get(label);
        if (future == null) {
            return "none true";
        }
        if (op.get("result").path("stamp").asText().equals("pending") && !settles(future)) {
            return "stamp pending";
        }
        return answer(() -> future, stamp -> {
            text.bind(label, stamp);
            String version = stampVersions.get(label);
            boolean right = stamp.length == 10
                    && version != null
                    && ByteBuffer.wrap(stamp).getLong() == text.version(version);
            return "stamp " + label + (right ? "" : " not the committed version and two bytes");
        });
    }

    private static boolean settles(CompletableFuture<?> future) {
        try {
            future.get(PENDING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            return true;
        }
        return true;
    }

    private String watchState(JsonNode op) {
        CompletableFuture<Void> watch = watches.get(op.get("id").textValue());
        if (watch == null) {
            return "none true";
        }
        String recorded = op.get("result").path("watch").asText();
        boolean due = !recorded.equals("pending") && !recorded.equals("either");
        try {
            watch.get(due ? TimeUnit.SECONDS.toMillis(ANSWER_SECONDS) : PENDING_MILLIS, TimeUnit.MILLISECONDS);
            return "watch fired";
        } catch (TimeoutException e) {
            return "watch pending";
        } catch (CancellationException e) {
            return "watch cancelled";
        } catch (ExecutionException e) {
            return failure(e, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String onError(Slot slot, Transaction tx, RuntimeException error) {
        String result = answer(() -> tx.onError(error), next -> {
            slot.renew(next, newestCommitted);
            return "ok true";
        });
        if (!result.startsWith("ok") && error instanceof FDBException) {
            slot.stale = tx;
        }
        return result;
    }

    private byte @Nullable [] bytes(JsonNode op, String name) {
        return op.hasNonNull(name) ? text.decode(op.get(name).textValue()) : null;
    }

    private KeySelector selector(JsonNode op, String name) {
        JsonNode parts = op.get(name);
        return new KeySelector(
                text.decode(parts.get(0).textValue()),
                parts.get(1).booleanValue(),
                parts.get(2).intValue());
    }

    private static byte @Nullable [] optionValue(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return null;
        }
        return value.isTextual()
                ? value.textValue().getBytes(StandardCharsets.UTF_8)
                : ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value.longValue())
                        .array();
    }

    private static String quietly(Runnable call) {
        try {
            call.run();
            return "ok true";
        } catch (RuntimeException e) {
            return failure(e, false);
        }
    }

    private static String flag(Supplier<Boolean> call) {
        try {
            return "flag " + call.get();
        } catch (RuntimeException e) {
            return failure(e, false);
        }
    }

    private static <T> String started(
            Supplier<CompletableFuture<T>> call, java.util.function.Consumer<CompletableFuture<T>> keep) {
        try {
            keep.accept(call.get());
            return "ok true";
        } catch (RuntimeException e) {
            return failure(e, true);
        }
    }

    private static <T> String answer(Supplier<CompletableFuture<T>> call, Function<T, String> show) {
        CompletableFuture<T> future;
        try {
            future = call.get();
        } catch (RuntimeException e) {
            return failure(e, true);
        }
        try {
            return show.apply(future.get(ANSWER_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            return "hangs";
        } catch (ExecutionException | CancellationException | CompletionException e) {
            return failure(e, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String failure(Throwable error, boolean thrown) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String shown = cause instanceof FDBException known
                ? "error " + known.getCode()
                : cause.getClass().getName();
        return shown + (thrown ? " thrown" : "");
    }
}
