/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The keys from {@code \xff\xff} on, which are not data: the conflict ranges of the transaction itself, and what the
 * database says about itself. They are served by modules, each a range of keys; reading them adds no conflict.
 */
final class SpecialKeys {

    private static final byte[] VALUE_OPEN = {'1'};
    private static final byte[] VALUE_CLOSE = {'0'};
    private static final List<KeyRange> MODULES = List.of(
            prefix("/transaction/"),
            prefix("/worker_interfaces/"),
            one("/status/json"),
            one("/connection_string"),
            one("/cluster_file_path"),
            one("/cluster_id"),
            prefix("/metrics/"),
            prefix("/management/"),
            one("/error_message"),
            prefix("/configuration/"),
            prefix("/global_config/"),
            prefix("/tracing/"),
            prefix("/actor_lineage/"),
            prefix("/actor_profiler_conf/"));
    private static final List<KeyRange> WRITABLE =
            List.of(prefix("/management/"), prefix("/configuration/"), prefix("/tracing/"), prefix("/global_config/"));
    private static final KeyRange TENANTS = prefix("/management/tenant/");
    private static final KeyRange READ_CONFLICTS = prefix("/transaction/read_conflict_range/");
    private static final KeyRange WRITE_CONFLICTS = prefix("/transaction/write_conflict_range/");
    private static final KeyRange CONFLICTING = prefix("/transaction/conflicting_keys/");
    private static final byte[] STATUS = special("/status/json");
    private static final byte[] CONNECTION = special("/connection_string");

    private final StoreConnection connection;
    private final Attempt attempt;

    SpecialKeys(StoreConnection connection, Attempt attempt) {
        this.connection = connection;
        this.attempt = attempt;
    }

    /** Whether a key is one of these. */
    static boolean isSpecial(byte[] key) {
        return Keys.startsWith(key, Keys.SYSTEM_END);
    }

    /** Whether a range that ends at a key can be one of these. */
    static boolean isSpecialEnd(byte[] key) {
        return isSpecial(key);
    }

    private static byte[] special(String name) {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        byte[] key = new byte[text.length + 2];
        key[0] = (byte) 0xff;
        key[1] = (byte) 0xff;
        System.arraycopy(text, 0, key, 2, text.length);
        return key;
    }

    private static KeyRange prefix(String name) {
        byte[] begin = special(name);
        byte[] end = begin.clone();
        end[end.length - 1]++;
        return new KeyRange(begin, end);
    }

    private static KeyRange one(String name) {
        return KeyRange.ofKey(special(name));
    }

    private static boolean contains(KeyRange range, byte[] key) {
        return Keys.compare(key, range.begin()) >= 0 && Keys.compare(key, range.end()) < 0;
    }

    private static @Nullable KeyRange moduleOf(List<KeyRange> modules, byte[] key) {
        for (KeyRange module : modules) {
            if (contains(module, key)) {
                return module;
            }
        }
        return null;
    }

    CompletableFuture<byte @Nullable []> get(byte[] key) {
        FDBException ended = attempt.endedBy();
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        if (moduleOf(MODULES, key) == null) {
            return key.length == Keys.SYSTEM_END.length || attempt.settings.specialKeysRelaxed
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.SPECIAL_KEYS_NO_MODULE_FOUND));
        }
        return rows(key, Keys.after(key))
                .thenApply(rows -> rows.isEmpty() ? null : rows.getFirst().getValue());
    }

    CompletableFuture<MergedRows> getRange(
            KeySelector beginSelector, KeySelector endSelector, int rowLimit, long byteLimit, boolean reverse) {
        FDBException ended = attempt.endedBy();
        if (ended != null) {
            return CompletableFuture.failedFuture(ended);
        }
        if (rowLimit < ReadLimits.UNLIMITED) {
            return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.RANGE_LIMITS_INVALID));
        }
        ReadBound begin = ReadBound.of(beginSelector);
        ReadBound end = ReadBound.of(endSelector);
        if (!attempt.settings.specialKeysRelaxed) {
            KeyRange module = moduleOf(MODULES, begin.key());
            if (module == null) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.SPECIAL_KEYS_NO_MODULE_FOUND));
            }
            if (Keys.compare(end.key(), module.end()) > 0) {
                return CompletableFuture.failedFuture(
                        new EmbeddedFDBException(ErrorCode.SPECIAL_KEYS_CROSS_MODULE_READ));
            }
        }
        return afterReads(begin.key(), end.key())
                .thenCompose(nothing -> rows(special(""), new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff}))
                .thenApply(rows -> limited(rows, begin, end, rowLimit, byteLimit, reverse));
    }

    /** Conflicts of reads are known only when the reads are done. */
    private CompletableFuture<@Nullable Void> afterReads(byte[] begin, byte[] end) {
        boolean asks = Keys.compare(begin, end) < 0
                && Keys.compare(begin, READ_CONFLICTS.end()) < 0
                && Keys.compare(end, READ_CONFLICTS.begin()) > 0;
        return asks ? attempt.allReads() : CompletableFuture.completedFuture(null);
    }

    private static int resolve(List<KeyValue> rows, ReadBound bound) {
        int index = 0;
        while (index < rows.size() && Keys.compare(rows.get(index).getKey(), bound.key()) < 0) {
            index++;
        }
        return Math.clamp((long) index + bound.offset() - 1, 0, rows.size());
    }

    /** The rows between two bounds, of all that there are, as far as limits allow. */
    static MergedRows limited(
            List<KeyValue> all, ReadBound begin, ReadBound end, int rowLimit, long byteLimit, boolean reverse) {
        int from = resolve(all, begin);
        int to = resolve(all, end);
        if (from >= to) {
            return MergedRows.none(false, false);
        }
        List<KeyValue> rows = all.subList(from, to);
        ReadLimits limits = new ReadLimits(rowLimit, byteLimit);
        List<KeyValue> taken = new ArrayList<>();
        for (KeyValue row : reverse ? rows.reversed() : rows) {
            if (limits.isReached()) {
                break;
            }
            limits.take(row.getKey(), row.getValue());
            taken.add(row);
        }
        return new MergedRows(taken, limits.isReached(), false, false);
    }

    /** What the modules hold from {@code begin} to {@code end}. */
    private CompletableFuture<List<KeyValue>> rows(byte[] begin, byte[] end) {
        List<KeyValue> rows = new ArrayList<>();
        synchronized (attempt) {
            CommitOutcome committed = attempt.outcome;
            byte[] known = committed == null ? null : committed.versionstamp();
            addBoundaries(rows, CONFLICTING, attempt.reportedConflicts, begin, end);
            addBoundaries(rows, READ_CONFLICTS, attempt.readConflicts.coalesced(), begin, end);
            addBoundaries(
                    rows,
                    WRITE_CONFLICTS,
                    attempt.writes.conflictsSoFar(attempt.knownReadVersion(), known),
                    begin,
                    end);
        }
        if (contains(new KeyRange(begin, end), CONNECTION)) {
            rows.add(new KeyValue(CONNECTION, "ratchet:embedded".getBytes(StandardCharsets.US_ASCII)));
        }
        rows.sort((left, right) -> Keys.compare(left.getKey(), right.getKey()));
        if (!contains(new KeyRange(begin, end), STATUS)) {
            return CompletableFuture.completedFuture(rows);
        }
        return connection.status().thenApply(status -> {
            rows.add(new KeyValue(STATUS, status));
            rows.sort((left, right) -> Keys.compare(left.getKey(), right.getKey()));
            return rows;
        });
    }

    /** Where ranges begin and end, as rows of a module. */
    private static void addBoundaries(
            List<KeyValue> rows, KeyRange module, List<KeyRange> ranges, byte[] begin, byte[] end) {
        for (KeyRange range : ranges) {
            addRow(rows, module, range.begin(), VALUE_OPEN, begin, end);
            addRow(rows, module, range.end(), VALUE_CLOSE, begin, end);
        }
    }

    private static void addRow(
            List<KeyValue> rows, KeyRange module, byte[] boundary, byte[] value, byte[] begin, byte[] end) {
        byte[] prefix = module.begin();
        byte[] key = Arrays.copyOf(prefix, prefix.length + boundary.length);
        System.arraycopy(boundary, 0, key, prefix.length, boundary.length);
        if (Keys.compare(key, begin) >= 0 && Keys.compare(key, end) < 0) {
            rows.add(new KeyValue(key, value));
        }
    }

    /** A write here: nothing that this database has can be set so. {@code end}: null for one key. */
    void write(byte[] begin, byte @Nullable [] end) {
        if (!attempt.settings.specialKeysWritable) {
            throw new EmbeddedFDBException(ErrorCode.SPECIAL_KEYS_WRITE_DISABLED);
        }
        if (moduleOf(WRITABLE, begin) == null || (end != null && Keys.compare(end, begin) < 0)) {
            throw new EmbeddedFDBException(ErrorCode.SPECIAL_KEYS_NO_WRITE_MODULE_FOUND);
        }
        throw new EmbeddedFDBException(
                contains(TENANTS, begin) ? ErrorCode.TENANTS_DISABLED : ErrorCode.UNSUPPORTED_OPERATION);
    }
}
