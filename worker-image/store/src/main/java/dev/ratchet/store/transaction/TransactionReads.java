/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeySelector;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.MappedKeyValue;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one attempt: what each may ask, what it sees of the attempt's own writes, and exactly which part of the
 * key space it makes the commit depend on. A read adds its conflict when it completes.
 */
final class TransactionReads {

    private final StoreConnection connection;
    private final Attempt attempt;

    TransactionReads(StoreConnection connection, Attempt attempt) {
        this.connection = connection;
        this.attempt = attempt;
    }

    /** The read version, asked for when it is first needed. */
    CompletableFuture<Long> version() {
        CompletableFuture<Long> version = attempt.readVersion();
        if (version == null) {
            version = connection.readVersion(versionRequest());
            attempt.setReadVersion(version);
        }
        return version;
    }

    private ReadVersionRequest versionRequest() {
        TransactionSettings settings = attempt.settings;
        boolean lockAware = settings.lockAware || settings.readLockAware;
        return settings.causalReadRisky || lockAware
                ? new ReadVersionRequest(settings.causalReadRisky, lockAware)
                : ReadVersionRequest.DEFAULT;
    }

    /** The value of a key; asks for the read version at the same time where that was not asked for. */
    private CompletableFuture<byte @Nullable []> value(byte[] key) {
        if (attempt.readVersion() != null) {
            return atVersion(version -> connection.get(version, key));
        }
        StoreConnection.FirstRead first = connection.firstGet(versionRequest(), key);
        attempt.setReadVersion(first.version());
        return first.value();
    }

    private <T extends @Nullable Object> CompletableFuture<T> atVersion(Function<Long, CompletableFuture<T>> read) {
        return at(version(), read);
    }

    /** What {@code read} gives at a version, without a step between where that is known. */
    static <T extends @Nullable Object> CompletableFuture<T> at(
            CompletableFuture<Long> version, Function<Long, CompletableFuture<T>> read) {
        return version.isDone() && !version.isCompletedExceptionally()
                ? read.apply(version.join())
                : version.thenCompose(read);
    }

    /** The reason why no read may begin now; null when it may. */
    @Nullable
    FDBException refusal() {
        if (attempt.commitStarted) {
            return new EmbeddedFDBException(ErrorCode.USED_DURING_COMMIT);
        }
        return attempt.endedBy();
    }

    CompletableFuture<byte @Nullable []> get(byte[] key, boolean snapshot) {
        synchronized (attempt) {
            FDBException refusal = refusal();
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            if (Keys.compare(key, attempt.writes.maxReadKey()) >= 0 && !Arrays.equals(key, Keys.METADATA_VERSION)) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE));
            }
            if (key.length > attempt.writes.readKeyLimit(key)) {
                return CompletableFuture.completedFuture(null);
            }
            return attempt.read(getChecked(key, snapshot));
        }
    }

    private CompletableFuture<byte @Nullable []> getChecked(byte[] key, boolean snapshot) {
        TransactionSettings settings = attempt.settings;
        if (settings.readYourWritesDisabled) {
            if (!snapshot) {
                addConflict(key, Keys.after(key));
            }
            return value(key);
        }
        WriteSegments writes = seenWrites(snapshot);
        if (writes == null) {
            return conflicting(fromDatabase(key), snapshot, key);
        }
        WriteSegments.Segment segment = writes.at(key);
        if (segment.isUnreadable() && !settings.bypassUnreadable) {
            return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.ACCESSED_UNREADABLE));
        }
        if (!segment.isUntouched() && !segment.isDependent()) {
            return CompletableFuture.completedFuture(
                    segment.isKey() ? segment.entry().over(null) : null);
        }
        CompletableFuture<byte @Nullable []> base = fromDatabase(key);
        CompletableFuture<byte @Nullable []> value =
                segment.isDependent() ? base.thenApply(segment.entry()::over) : base;
        return conflicting(value, snapshot || !segment.needsConflict(), key);
    }

    /** The value in the database, asked for once. */
    private CompletableFuture<byte @Nullable []> fromDatabase(byte[] key) {
        KnownRows.Segment known = attempt.known.at(key);
        if (known.isKnown()) {
            KeyValue row = known.row();
            return CompletableFuture.completedFuture(row == null ? null : row.getValue());
        }
        CompletableFuture<byte @Nullable []> value = value(key);
        if (value.isDone() && !value.isCompletedExceptionally()) {
            attempt.known.learn(key, value.join());
            return value;
        }
        return value.thenApply(found -> {
            synchronized (attempt) {
                attempt.known.learn(key, found);
            }
            return found;
        });
    }

    private CompletableFuture<byte @Nullable []> conflicting(
            CompletableFuture<byte @Nullable []> value, boolean snapshot, byte[] key) {
        if (snapshot) {
            return value;
        }
        if (value.isDone() && !value.isCompletedExceptionally()) {
            addConflict(key, Keys.after(key));
            return value;
        }
        return value.thenApply(found -> {
            addConflict(key, Keys.after(key));
            return found;
        });
    }

    /** The writes that a read sees; null for none. */
    private @Nullable WriteSegments seenWrites(boolean snapshot) {
        TransactionSettings settings = attempt.settings;
        boolean blind = settings.readYourWritesDisabled || (snapshot && settings.snapshotReadYourWrites <= 0);
        return blind ? null : attempt.writes.visible();
    }

    private MergedRead.Source source(@Nullable WriteSegments writes) {
        return new MergedRead.Source(connection, this::version, writes, attempt, attempt.writes.maxReadKey());
    }

    CompletableFuture<byte[]> getKey(KeySelector selector, boolean snapshot) {
        synchronized (attempt) {
            FDBException refusal = refusal();
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            if (Keys.compare(selector.getKey(), attempt.writes.maxReadKey()) > 0) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE));
            }
            if (attempt.settings.readYourWritesDisabled) {
                return attempt.read(keyInDatabase(selector, snapshot));
            }
            WriteSegments writes = seenWrites(snapshot);
            return attempt.read(
                    MergedRead.key(source(writes), ReadBound.of(selector)).thenApply(key -> {
                        if (!snapshot) {
                            addKeyConflict(selector, key, writes);
                        }
                        return key;
                    }));
        }
    }

    /** Conflicts with what the selector met, be it a system key that is not shown. */
    private CompletableFuture<byte[]> keyInDatabase(KeySelector selector, boolean snapshot) {
        byte[] max = attempt.writes.maxReadKey();
        return atVersion(version -> connection.resolve(version, selector)).thenApply(key -> {
            if (!snapshot) {
                addKeyConflict(selector, key, null);
            }
            return MergedRead.earlier(key, max);
        });
    }

    private void addKeyConflict(KeySelector selector, byte[] found, @Nullable WriteSegments writes) {
        byte[] edge = selector.orEqual() ? Keys.after(selector.getKey()) : selector.getKey();
        if (selector.getOffset() <= 0) {
            addConflict(found, edge, writes);
        } else {
            addConflict(edge, Keys.after(found), writes);
        }
    }

    /** Rows between two bounds. {@code rowLimit} and {@code byteLimit} may be {@link ReadLimits#UNLIMITED}. */
    CompletableFuture<MergedRows> getRange(
            KeySelector beginSelector,
            KeySelector endSelector,
            int rowLimit,
            long byteLimit,
            boolean reverse,
            boolean snapshot) {
        synchronized (attempt) {
            FDBException refusal = refusal();
            if (refusal != null) {
                return CompletableFuture.failedFuture(refusal);
            }
            byte[] max = attempt.writes.maxReadKey();
            if (Keys.compare(beginSelector.getKey(), max) > 0 || Keys.compare(endSelector.getKey(), max) > 0) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE));
            }
            if (rowLimit < ReadLimits.UNLIMITED) {
                return CompletableFuture.failedFuture(new EmbeddedFDBException(ErrorCode.RANGE_LIMITS_INVALID));
            }
            ReadBound begin = ReadBound.of(beginSelector);
            ReadBound end = ReadBound.of(endSelector);
            if (begin.offset() >= end.offset() && Keys.compare(begin.key(), end.key()) >= 0) {
                return CompletableFuture.completedFuture(MergedRows.none(false, false));
            }
            if (KeyServers.hold(begin, end)) {
                return CompletableFuture.completedFuture(KeyServers.rows(begin, end, rowLimit, byteLimit, reverse));
            }
            WriteSegments writes = seenWrites(snapshot);
            boolean plain = begin.isResolved()
                    && end.isResolved()
                    && (writes == null || writes.isPlain(begin.key(), end.key()));
            CompletableFuture<MergedRows> rows = plain
                    ? atVersion(version -> plainRange(version, begin.key(), end.key(), rowLimit, byteLimit, reverse))
                    : MergedRead.rows(
                            source(writes), begin.copy(), end.copy(), new ReadLimits(rowLimit, byteLimit), reverse);
            if (snapshot) {
                return attempt.read(rows);
            }
            return attempt.read(rows.thenApply(found -> {
                addRangeConflict(begin, end, found, reverse, writes);
                return found;
            }));
        }
    }

    private CompletableFuture<MergedRows> plainRange(
            long version, byte[] begin, byte[] end, int rowLimit, long byteLimit, boolean reverse) {
        int rows = rowLimit == ReadLimits.UNLIMITED ? Integer.MAX_VALUE : rowLimit;
        int bytes = byteLimit == ReadLimits.UNLIMITED ? Integer.MAX_VALUE : (int) byteLimit;
        return connection
                .range(RangeRead.ofKeys(version, begin, end, rows, bytes, reverse))
                .thenApply(chunk -> {
                    learn(begin, end, chunk, reverse);
                    return new MergedRows(chunk.rows(), chunk.more(), false, false);
                });
    }

    private void learn(byte[] begin, byte[] end, RangeChunk chunk, boolean reverse) {
        if (attempt.settings.readYourWritesDisabled) {
            return;
        }
        List<KeyValue> rows = chunk.rows();
        byte[] last = chunk.more() ? rows.getLast().getKey() : null;
        synchronized (attempt) {
            if (reverse) {
                attempt.known.learn(last == null ? begin : last, end, rows.reversed());
            } else {
                attempt.known.learn(begin, last == null ? end : Keys.after(last), rows);
            }
        }
    }

    /**
     * Rows between two bounds as they are in the database, each with what {@code mapper} finds by it. As in
     * FoundationDB this is for serializable reads alone, and fails where it meets own writes instead of showing them.
     */
    CompletableFuture<MergedRows> getMappedRange(
            KeySelector beginSelector,
            KeySelector endSelector,
            byte[] mapper,
            int rowLimit,
            long byteLimit,
            boolean reverse,
            boolean snapshot) {
        synchronized (attempt) {
            FDBException refusal = refusal();
            byte[] max = attempt.writes.maxReadKey();
            int code = 0;
            if (Keys.compare(beginSelector.getKey(), max) > 0 || Keys.compare(endSelector.getKey(), max) > 0) {
                code = ErrorCode.KEY_OUTSIDE_LEGAL_RANGE;
            } else if (rowLimit < ReadLimits.UNLIMITED) {
                code = ErrorCode.RANGE_LIMITS_INVALID;
            } else if (snapshot || attempt.settings.readYourWritesDisabled) {
                code = ErrorCode.UNSUPPORTED_OPERATION;
            }
            if (refusal != null || code != 0) {
                return CompletableFuture.failedFuture(refusal != null ? refusal : new EmbeddedFDBException(code));
            }
            ReadBound begin = ReadBound.of(beginSelector);
            ReadBound end = ReadBound.of(endSelector);
            if (begin.offset() >= end.offset() && Keys.compare(begin.key(), end.key()) >= 0) {
                return CompletableFuture.completedFuture(MergedRows.none(false, false));
            }
            ReadLimits limits = new ReadLimits(rowLimit, byteLimit);
            return attempt.read(
                    atVersion(version -> MergedRead.rows(source(null), begin.copy(), end.copy(), limits, reverse)
                            .thenCompose(found -> new MappedRead(connection, version, mapper).of(found))
                            .thenApply(found -> {
                                addMappedConflicts(begin, end, found, reverse);
                                return found;
                            })));
        }
    }

    private void addMappedConflicts(ReadBound begin, ReadBound end, MergedRows found, boolean reverse) {
        synchronized (attempt) {
            WriteSegments writes = attempt.writes.visible();
            addUntouchedConflict(rangeConflict(begin, end, found, reverse), writes);
            for (KeyValue row : found.rows()) {
                MappedKeyValue mapped = (MappedKeyValue) row;
                addUntouchedConflict(new KeyRange(mapped.getRangeBegin(), mapped.getRangeEnd()), writes);
            }
        }
    }

    private void addUntouchedConflict(KeyRange range, @Nullable WriteSegments writes) {
        if (Keys.compare(range.begin(), range.end()) >= 0) {
            return;
        }
        if (writes != null && !writes.isPlain(range.begin(), range.end())) {
            throw new EmbeddedFDBException(ErrorCode.MAPPED_RANGE_READS_OWN_WRITES);
        }
        addConflict(range.begin(), range.end());
    }

    private void addRangeConflict(
            ReadBound begin, ReadBound end, MergedRows found, boolean reverse, @Nullable WriteSegments writes) {
        KeyRange range = rangeConflict(begin, end, found, reverse);
        addConflict(range.begin(), range.end(), writes);
    }

    private KeyRange rangeConflict(ReadBound begin, ReadBound end, MergedRows found, boolean reverse) {
        List<KeyValue> rows = found.rows();
        byte[] from = begin.key();
        byte[] to = end.key();
        if (Keys.compare(from, to) < 0) {
            if (!reverse && end.offset() > 0 && found.more()) {
                to = from;
            } else if (reverse && begin.offset() <= 1 && found.more()) {
                from = to;
            }
        } else {
            from = end.key();
            to = begin.key();
        }
        if (found.readToBegin() && begin.offset() <= 0) {
            from = Keys.FIRST;
        }
        if (found.readThroughEnd() && end.offset() > 0) {
            to = attempt.writes.maxReadKey();
        }
        if (!rows.isEmpty()) {
            byte[] lowest = (reverse ? rows.getLast() : rows.getFirst()).getKey();
            byte[] highest = (reverse ? rows.getFirst() : rows.getLast()).getKey();
            if (reverse || begin.offset() <= 0) {
                from = MergedRead.earlier(from, lowest);
            }
            if ((!reverse || end.offset() > 0) && Keys.compare(to, highest) <= 0) {
                to = Keys.after(highest);
            }
        }
        return new KeyRange(from, to);
    }

    /** Adds an explicit read conflict, as far as it does not lie in own writes. */
    void addExplicitConflict(byte[] begin, byte[] end) {
        synchronized (attempt) {
            byte[] max = attempt.writes.maxReadKey();
            boolean metadata = Arrays.equals(begin, Keys.METADATA_VERSION)
                    && Arrays.equals(end, Keys.after(Keys.METADATA_VERSION));
            if (!metadata && (Keys.compare(begin, max) > 0 || Keys.compare(end, max) > 0)) {
                throw new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
            }
            addConflict(attempt.writes.shortened(begin), attempt.writes.shortened(end), seenWrites(false));
        }
    }

    private void addConflict(byte[] begin, byte[] end, @Nullable WriteSegments writes) {
        if (writes == null) {
            addConflict(begin, end);
            return;
        }
        for (WriteSegments.Segment segment = writes.at(begin);
                segment != null && Keys.compare(segment.begin(), end) < 0;
                segment = writes.next(segment)) {
            if (segment.needsConflict()) {
                addConflict(MergedRead.later(begin, segment.begin()), MergedRead.earlier(end, segment.end()));
            }
        }
    }

    private void addConflict(byte[] begin, byte[] end) {
        synchronized (attempt) {
            attempt.readConflicts.add(begin, end);
            attempt.readConflictBytes += begin.length + end.length + 24;
        }
    }
}
