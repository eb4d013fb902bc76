/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

import dev.ratchet.store.transaction.WriteEntry.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one attempt: checks them, keeps them readable in a {@link WriteMap}, and turns them into the mutations
 * and conflict ranges of a commit. With read-your-writes disabled they are kept as a plain list in call order. Guarded
 * by the lock of its attempt.
 */
final class WriteSet {

    private static final int MUTATION_BYTES = 28;
    private static final int RANGE_BYTES = 24;
    private static final byte[] METADATA_VERSION_VALUE = new byte[14];

    private final TransactionSettings settings;
    /** Null until something is written: most transactions only read. */
    private @Nullable WriteMap map;

    private final List<Mutation> direct = new ArrayList<>();
    private final List<KeyRange> directConflicts = new ArrayList<>();
    private final List<byte[]> stampedKeys = new ArrayList<>();
    private @Nullable WriteSegments snapshot;
    private long approximateBytes;
    private boolean hasClears;

    WriteSet(TransactionSettings settings) {
        this.settings = settings;
    }

    boolean isEmpty() {
        return map == null && direct.isEmpty() && directConflicts.isEmpty();
    }

    /** The writes as a read sees them; null when there are none to see. */
    @Nullable
    WriteSegments visible() {
        return map == null ? null : snapshot();
    }

    private WriteSegments snapshot() {
        WriteSegments current = snapshot;
        if (current == null) {
            current = written().snapshot();
            snapshot = current;
        }
        return current;
    }

    private WriteMap written() {
        WriteMap current = map;
        if (current == null) {
            current = new WriteMap();
            map = current;
        }
        return current;
    }

    /** Bytes as FoundationDB estimates the size of a transaction. */
    long approximateBytes() {
        return approximateBytes;
    }

    byte[] maxWriteKey() {
        return settings.writeSystemKeys ? Keys.SYSTEM_END : Keys.USER_END;
    }

    byte[] maxReadKey() {
        return settings.readSystemKeys ? Keys.SYSTEM_END : Keys.USER_END;
    }

    void set(byte[] key, byte[] value, boolean addConflict) {
        if (Arrays.equals(key, Keys.METADATA_VERSION)) {
            throw new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
        }
        checkKey(key);
        checkLengths(key, value);
        count(key, value, addConflict);
        if (settings.readYourWritesDisabled) {
            addDirect(new Mutation(Mutation.SET, key, value), addConflict);
            return;
        }
        snapshot = null;
        written().mutate(key, Mutation.SET, value, addConflict);
    }

    void clear(byte[] key, boolean addConflict) {
        checkKey(key);
        if (key.length > readKeyLimit(key)) {
            return;
        }
        clearChecked(key, Keys.after(key), addConflict);
    }

    void clear(byte[] begin, byte[] end, boolean addConflict) {
        byte[] max = maxWriteKey();
        if (Keys.compare(begin, max) > 0 || Keys.compare(end, max) > 0) {
            throw new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
        }
        byte[] from = shortened(begin);
        byte[] to = shortened(end);
        if (Keys.compare(from, to) < 0) {
            clearChecked(from, to, addConflict);
        }
    }

    private void clearChecked(byte[] begin, byte[] end, boolean addConflict) {
        count(begin, end, addConflict);
        if (settings.readYourWritesDisabled) {
            direct.add(new Mutation(Mutation.CLEAR_RANGE, begin, end));
            if (addConflict) {
                directConflicts.add(new KeyRange(begin, end));
            }
            return;
        }
        snapshot = null;
        hasClears = true;
        written().clear(begin, end, addConflict);
    }

    /** An atomic or versionstamped operation. Returns the key it is kept under. */
    byte[] mutate(int type, byte[] key, byte[] param, boolean wantConflict, long knownReadVersion) {
        boolean stampedKey = type == Mutation.SET_VERSIONSTAMPED_KEY;
        boolean stampedValue = type == Mutation.SET_VERSIONSTAMPED_VALUE;
        if (Arrays.equals(key, Keys.METADATA_VERSION)) {
            if (!stampedValue || !Arrays.equals(param, METADATA_VERSION_VALUE)) {
                throw new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
            }
        } else {
            checkKey(key);
        }
        if (!AtomicOperations.isAtomic(type) && !stampedKey && !stampedValue) {
            throw new EmbeddedFDBException(ErrorCode.INVALID_MUTATION_TYPE);
        }
        checkLengths(key, param);
        byte[] kept = key;
        boolean addConflict = wantConflict && !stampedKey;
        if (stampedKey) {
            KeyRange range = stampedRange(key, knownReadVersion);
            stampedKeys.add(key);
            if (!settings.readYourWritesDisabled) {
                flush(range.begin(), range.end());
                written().addUnreadable(range.begin(), range.end());
            }
            kept = key.clone();
            System.arraycopy(
                    new CommitOutcome(knownReadVersion, 0).versionstamp(),
                    0,
                    kept,
                    VersionstampPlaces.position(key),
                    VersionstampPlaces.STAMP_BYTES);
        }
        if (stampedValue && !VersionstampPlaces.isValid(param)) {
            throw new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
        }
        count(key, param, addConflict);
        if (settings.readYourWritesDisabled) {
            addDirect(new Mutation(type, kept, param), addConflict);
            return kept;
        }
        snapshot = null;
        written().mutate(kept, type, param, addConflict);
        return kept;
    }

    /** Where a versionstamped key may come to lie. */
    private KeyRange stampedRange(byte[] template, long lowestVersion) {
        if (!VersionstampPlaces.isValid(template)) {
            throw new EmbeddedFDBException(ErrorCode.CLIENT_INVALID_OPERATION);
        }
        byte[] highest = new byte[VersionstampPlaces.STAMP_BYTES];
        Arrays.fill(highest, (byte) 0xff);
        byte[] max = maxReadKey();
        byte[] begin = VersionstampPlaces.fill(template, new CommitOutcome(lowestVersion, 0).versionstamp());
        byte[] end = Keys.after(VersionstampPlaces.fill(template, highest));
        return new KeyRange(MergedRead.earlier(begin, max), MergedRead.earlier(end, max));
    }

    void addConflict(byte[] begin, byte[] end) {
        byte[] max = maxWriteKey();
        if (Keys.compare(begin, max) > 0 || Keys.compare(end, max) > 0) {
            throw new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
        }
        byte[] from = shortened(begin);
        byte[] to = shortened(end);
        if (Keys.compare(from, to) >= 0) {
            return;
        }
        approximateBytes += from.length + to.length + RANGE_BYTES;
        if (settings.readYourWritesDisabled) {
            directConflicts.add(new KeyRange(from, to));
            return;
        }
        snapshot = null;
        written().addConflict(from, to);
    }

    /** A bound that no key reaches, cut to where it means the same. */
    byte[] shortened(byte[] key) {
        int limit = readKeyLimit(key);
        return key.length > limit ? Arrays.copyOf(key, limit + 1) : key;
    }

    /** The longest key that may be in the database. */
    int readKeyLimit(byte[] key) {
        return Keys.isSystem(key) ? Limits.SYSTEM_KEY_BYTES_MAX : Limits.RAW_KEY_BYTES_MAX;
    }

    /** The longest key that this transaction may set. */
    int keyLimit(byte[] key) {
        if (Keys.isSystem(key)) {
            return Limits.SYSTEM_KEY_BYTES_MAX;
        }
        return settings.rawAccess ? Limits.RAW_KEY_BYTES_MAX : Limits.KEY_BYTES_MAX;
    }

    private void checkKey(byte[] key) {
        if (Keys.compare(key, maxWriteKey()) >= 0) {
            throw new EmbeddedFDBException(ErrorCode.KEY_OUTSIDE_LEGAL_RANGE);
        }
    }

    private void checkLengths(byte[] key, byte[] value) {
        if (key.length > keyLimit(key)) {
            throw new EmbeddedFDBException(ErrorCode.KEY_TOO_LARGE);
        }
        if (value.length > Limits.VALUE_BYTES_MAX) {
            throw new EmbeddedFDBException(ErrorCode.VALUE_TOO_LARGE);
        }
    }

    private void count(byte[] key, byte[] value, boolean addConflict) {
        approximateBytes += key.length + value.length + MUTATION_BYTES;
        approximateBytes += addConflict ? RANGE_BYTES + 2L * key.length + 1 : 0;
    }

    private void addDirect(Mutation mutation, boolean addConflict) {
        direct.add(mutation);
        if (addConflict) {
            directConflicts.add(KeyRange.ofKey(mutation.key()));
        }
    }

    /** The mutations of a commit, in order. To be called once. */
    List<Mutation> mutations() {
        if (map != null) {
            flush(Keys.FIRST, Keys.SYSTEM_END);
        }
        return direct;
    }

    /** The write conflict ranges of a commit, after {@link #mutations}. */
    List<KeyRange> conflicts() {
        if (directConflicts.size() < 2) {
            return directConflicts;
        }
        RangeSet set = new RangeSet();
        directConflicts.forEach(range -> set.add(range.begin(), range.end()));
        return set.coalesced();
    }

    /** Write conflict ranges so far, with the ranges in which stamped keys may come to lie. */
    List<KeyRange> conflictsSoFar(long knownReadVersion, byte @Nullable [] stamp) {
        RangeSet set = new RangeSet();
        if (settings.readYourWritesDisabled) {
            directConflicts.forEach(range -> set.add(range.begin(), range.end()));
        } else if (map != null) {
            snapshot().forEach(Keys.FIRST, WriteSegments.END, segment -> {
                if (segment.isConflict()) {
                    set.add(segment.begin(), segment.end());
                }
            });
        }
        for (byte[] template : stampedKeys) {
            KeyRange range = stamp == null
                    ? stampedRange(template, knownReadVersion)
                    : KeyRange.ofKey(VersionstampPlaces.fill(template, stamp));
            set.add(range.begin(), range.end());
        }
        return set.coalesced();
    }

    /** Moves what a range of the map holds to the list: clears first, because a key can be cleared and then set. */
    private void flush(byte[] begin, byte[] end) {
        WriteSegments segments = snapshot();
        if (hasClears) {
            segments.forEach(begin, end, segment -> {
                if (segment.isCleared()) {
                    addClear(MergedRead.later(begin, segment.begin()), MergedRead.earlier(end, segment.end()));
                }
            });
        }
        segments.forEach(begin, end, segment -> {
            if (segment.isConflict()) {
                directConflicts.add(
                        new KeyRange(MergedRead.later(begin, segment.begin()), MergedRead.earlier(end, segment.end())));
            }
            Operation[] operations = segment.entry().operations();
            if (segment.isKey() && operations != null) {
                for (Operation operation : operations) {
                    addOperation(segment, operation);
                }
            }
        });
    }

    private void addOperation(WriteSegments.Segment segment, Operation operation) {
        byte[] value = operation.value();
        direct.add(
                value == null
                        ? new Mutation(Mutation.CLEAR_RANGE, segment.begin(), segment.end())
                        : new Mutation(operation.type(), segment.begin(), value));
    }

    private void addClear(byte[] begin, byte[] end) {
        int last = direct.size() - 1;
        if (last >= 0
                && direct.get(last).type() == Mutation.CLEAR_RANGE
                && Arrays.equals(direct.get(last).param(), begin)) {
            direct.set(last, new Mutation(Mutation.CLEAR_RANGE, direct.get(last).key(), end));
            return;
        }
        direct.add(new Mutation(Mutation.CLEAR_RANGE, begin, end));
    }

    /** Size of a commit by the rules of FoundationDB's limit. */
    static long sizeBytes(List<Mutation> mutations, List<KeyRange> reads, List<KeyRange> writes) {
        long bytes = 0;
        for (Mutation mutation : mutations) {
            bytes += mutation.key().length + mutation.param().length + MUTATION_BYTES;
        }
        for (KeyRange range : reads) {
            bytes += range.begin().length + range.end().length + RANGE_BYTES;
        }
        for (KeyRange range : writes) {
            bytes += range.begin().length + range.end().length + RANGE_BYTES;
        }
        return bytes;
    }
}
