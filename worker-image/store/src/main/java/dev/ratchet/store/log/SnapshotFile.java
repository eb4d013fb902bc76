/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.TreeCursor;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.Keys;
import dev.ratchet.store.transaction.RequestId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * All data at one version in one file: a header, blocks of entries in order, and an end that says how many there were.
 * Snapshots and backups are the same. A file without its end is no snapshot.
 */
final class SnapshotFile {

    /** Format of snapshots and backups, which changes apart from the format of directories. */
    static final int FORMAT = 1;

    private static final int HEADER = 0x11;
    private static final int ENTRIES = 0x12;
    private static final int END = 0x13;
    private static final long MAGIC = 0x7261_7463_6865_7401L;
    private static final int BLOCK_BYTES = 256 << 10;

    private SnapshotFile() {}

    /**
     * What a snapshot holds besides entries.
     *
     * @param generation of the store it was taken from
     * @param version of the data
     * @param reservedVersion no version above this one had been handed out
     * @param outcomes of named commits
     */
    record Header(long generation, long version, long reservedVersion, Map<RequestId, CommitOutcome> outcomes) {}

    /** Takes the entries of a snapshot, in order. */
    @FunctionalInterface
    interface Entries {
        void add(byte[] key, byte[] value) throws IOException;
    }

    /** Where a snapshot is written to, front to back. */
    @FunctionalInterface
    interface Sink {
        /** Takes all that remains in the buffer, which is used again afterwards. */
        void append(ByteBuffer bytes) throws IOException;
    }

    /** Writes a snapshot to an empty file and makes it durable. */
    static void write(Disk.File file, long generation, FrozenState state) throws IOException {
        write(file::append, generation, state);
        file.sync();
    }

    /** Writes a snapshot. */
    static void write(Sink file, long generation, FrozenState state) throws IOException {
        FrameWriter out = new FrameWriter();
        out.begin();
        out.putByte(HEADER);
        out.putLong(MAGIC);
        out.putCount(FORMAT);
        out.putLong(generation);
        out.putLong(state.version());
        out.putLong(state.reservedVersion());
        Map<RequestId, CommitOutcome> outcomes = state.outcomes().get();
        out.putCount(outcomes.size());
        outcomes.forEach((id, outcome) -> {
            out.putLong(id.client());
            out.putLong(id.sequence());
            out.putLong(outcome.version());
            out.putCount(outcome.batchIndex());
        });
        out.end();
        file.append(out.content());
        long entries = writeEntries(file, out, state.data());
        out.clear();
        out.begin();
        out.putByte(END);
        out.putLong(entries);
        out.end();
        file.append(out.content());
    }

    private static long writeEntries(Sink file, FrameWriter out, OrderedTree<byte[]> data) throws IOException {
        TreeCursor<byte[]> cursor = data.cursor();
        long entries = 0;
        boolean found = cursor.seekCeiling(Keys.FIRST);
        while (found) {
            out.clear();
            out.begin();
            out.putByte(ENTRIES);
            while (found && out.size() < BLOCK_BYTES) {
                out.putBytes(cursor.key());
                out.putBytes(cursor.value());
                entries++;
                found = cursor.next();
            }
            out.end();
            file.append(out.content());
        }
        return entries;
    }

    /**
     * Reads a snapshot and hands on its entries as they come.
     *
     * @throws StoreDirectoryException if it is damaged or of a format this release does not read
     */
    static Header read(Disk.File file, String name, Entries sink) throws IOException {
        FrameReader frames = new FrameReader();
        frames.begin(file);
        ByteBuffer header = frames.next();
        if (header == null || header.get() != HEADER || header.getLong() != MAGIC) {
            throw new StoreDirectoryException(name + " is no snapshot of a store, or its beginning is damaged");
        }
        int format = LogFrames.takeCount(header);
        if (format != FORMAT) {
            throw new StoreDirectoryException(name + " has format " + format + ", and this release reads " + FORMAT
                    + "; use a release of its age");
        }
        long generation = header.getLong();
        long version = header.getLong();
        long reserved = header.getLong();
        Map<RequestId, CommitOutcome> outcomes = new HashMap<>();
        for (int left = LogFrames.takeCount(header); left > 0; left--) {
            RequestId id = new RequestId(header.getLong(), header.getLong());
            outcomes.put(id, new CommitOutcome(header.getLong(), LogFrames.takeCount(header)));
        }
        long entries = 0;
        while (true) {
            ByteBuffer block = frames.next();
            int kind = block == null ? 0 : block.get();
            if (block == null || (kind != ENTRIES && kind != END)) {
                throw new StoreDirectoryException(
                        name + " is damaged at byte " + frames.position() + "; restore a sound backup");
            }
            if (kind == END) {
                if (block.getLong() != entries) {
                    throw new StoreDirectoryException(name + " lacks entries; restore a sound backup");
                }
                return new Header(generation, version, reserved, outcomes);
            }
            while (block.hasRemaining()) {
                sink.add(LogFrames.takeBytes(block), LogFrames.takeBytes(block));
                entries++;
            }
        }
    }
}
