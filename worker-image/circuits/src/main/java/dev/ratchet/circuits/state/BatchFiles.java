/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchFile;
import dev.ratchet.circuits.batch.BatchSpill;
import dev.ratchet.circuits.batch.BlockCache;
import dev.ratchet.circuits.type.ContentDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The batch files of a directory: numbered upwards and never reused, so that a sweep knows what is newer than what it
 * looks at. Traces spill into it, each thread for itself. A file goes when no version refers to it, not before.
 */
final class BatchFiles implements BatchSpill {

    private static final String PREFIX = "batch-";
    private static final int CHUNK_BYTES = 1 << 20;

    /** What one commit reads of files to compare them. */
    private static final long COMPARED_BYTES = 16L << 20;

    private final StateFiles files;
    private final BlockCache cache;
    private final IntSupplier level;
    private final Map<Long, StateFile> known = new HashMap<>();
    private final Set<Long> beingWritten = new HashSet<>();
    private final Set<Long> unsynced = new HashSet<>();

    /** Of files that this process has written or read as a whole. */
    private final Map<Long, Long> digests = new HashMap<>();

    /** What is wrong with files that do not match their digest. */
    private final Map<Long, String> damages = new HashMap<>();

    private @Nullable FileReading reading;
    private long next;
    private long spilledBytes;

    BatchFiles(StateFiles files, BlockCache cache, IntSupplier level) {
        this.files = files;
        this.cache = cache;
        this.level = level;
        for (String name : files.list()) {
            if (isOne(name)) {
                next = Math.max(next, numberOf(name) + 1);
            }
        }
    }

    static boolean isOne(String name) {
        return name.matches(PREFIX + "[0-9]{1,18}");
    }

    private static long numberOf(String name) {
        return Long.parseLong(name.substring(PREFIX.length()));
    }

    synchronized StateFile file(long number) {
        return known.computeIfAbsent(number, missing -> new StateFile(files, missing));
    }

    @Override
    public SpillFile create() {
        long number = begin();
        StateFiles.Output out = files.create(Manifest.fileName(number));
        return new SpillFile() {
            private final ContentDigest digest = new ContentDigest();
            private long length;

            @Override
            public void append(byte[] bytes, int offset, int count) {
                digest.update(bytes, offset, count);
                out.append(bytes, offset, count);
                length += count;
            }

            @Override
            public BatchFile finish() {
                out.close();
                return end(number, length, digest.value());
            }

            @Override
            public void abandon() {
                out.close();
                forget(number);
            }
        };
    }

    @Override
    public int formatLevel() {
        return level.getAsInt();
    }

    @Override
    public BlockCache cache() {
        return cache;
    }

    /** A file may be part of a committed version or of another slice: {@link #sweep} knows. */
    @Override
    public void discard(BatchFile file) {}

    synchronized long spilledBytes() {
        return spilledBytes;
    }

    /** A number for a new file, which is not swept while it is being written. */
    synchronized long begin() {
        beingWritten.add(next);
        return next++;
    }

    private synchronized StateFile end(long number, long length, long digest) {
        digests.put(number, digest);
        beingWritten.remove(number);
        unsynced.add(number);
        spilledBytes += length;
        return file(number);
    }

    /** Ends a file that its writer has synced. */
    synchronized StateFile endSynced(long number, long digest) {
        digests.put(number, digest);
        beingWritten.remove(number);
        return file(number);
    }

    /** Gives up a file. */
    void forget(long number) {
        synchronized (this) {
            beingWritten.remove(number);
            known.remove(number);
            digests.remove(number);
        }
        files.delete(Manifest.fileName(number));
    }

    /** Makes a file survive crashes, unless it does already. */
    void sync(long number) {
        boolean due;
        synchronized (this) {
            due = unsynced.contains(number);
        }
        if (due) {
            files.sync(Manifest.fileName(number));
            synchronized (this) {
                unsynced.remove(number);
            }
        }
    }

    /** The digest of a file, where this process has written it or read it as a whole. */
    synchronized OptionalLong digest(long number) {
        Long digest = digests.get(number);
        return digest == null ? OptionalLong.empty() : OptionalLong.of(digest);
    }

    /** What is wrong with a file; null for nothing that is known. */
    synchronized @Nullable String damage(long number) {
        return damages.get(number);
    }

    /**
     * Reads on in files that this process has neither written nor read as a whole, {@value #COMPARED_BYTES} bytes, and
     * compares the digests of those that end. So after some commits all files of a state that was opened are known to
     * be what was written, and no commit reads more. Called by one thread at a time.
     *
     * @throws CorruptStateException where one is not
     */
    void compareSome(SortedMap<Long, Manifest.StoredFile> wanted) {
        long budget = COMPARED_BYTES;
        for (Map.Entry<Long, Manifest.StoredFile> entry : wanted.entrySet()) {
            long number = entry.getKey();
            if (budget > 0 && digest(number).isEmpty()) {
                FileReading on = reading;
                FileReading current = on != null && on.number == number ? on : new FileReading(number);
                long length = entry.getValue().length();
                budget = current.read(file(number), length, budget);
                reading = current;
                if (current.at == length) {
                    compare(number, entry.getValue().digest(), current.digest.value());
                }
            }
        }
    }

    private void compare(long number, OptionalLong written, long found) {
        if (written.isPresent() && written.getAsLong() != found) {
            throw damaged(number, written.getAsLong(), found);
        }
        synchronized (this) {
            digests.put(number, found);
        }
    }

    /** How far a file was read. */
    private static final class FileReading {
        private final long number;
        private final ContentDigest digest = new ContentDigest();
        private long at;

        FileReading(long number) {
            this.number = number;
        }

        /** Returns what is left of the budget. */
        long read(StateFile file, long length, long budget) {
            long left = budget;
            while (at < length && left > 0) {
                byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, length - at)];
                file.read(at, chunk);
                digest.update(chunk, 0, chunk.length);
                at += chunk.length;
                left -= chunk.length;
            }
            return left;
        }
    }

    private CorruptStateException damaged(long number, long written, long found) {
        String what = file(number).name() + " has digest " + HexFormat.of().toHexDigits(found) + " instead of "
                + HexFormat.of().toHexDigits(written)
                + ", so its bytes are not those that were written; open a version without it, or take the state from"
                + " another copy";
        synchronized (this) {
            damages.put(number, what);
        }
        return new CorruptStateException(what);
    }

    /** The files that may be part of what is not prepared yet: those being written, and all that come. */
    synchronized Horizon horizon() {
        return new Horizon(next, Set.copyOf(beingWritten));
    }

    /** What a sweep leaves alone. */
    record Horizon(long next, Set<Long> beingWritten) {
        boolean isBehind(long number) {
            return number < next && !beingWritten.contains(number);
        }
    }

    /** Deletes what is behind the horizon and not in use. */
    void sweep(Horizon horizon, Set<Long> used) {
        for (String name : files.list()) {
            if (isOne(name) && horizon.isBehind(numberOf(name)) && !used.contains(numberOf(name))) {
                forget(numberOf(name));
            }
        }
    }
}
