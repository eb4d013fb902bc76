/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.ordered.PagedTrees;
import dev.ratchet.store.ordered.Place;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.RequestId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From where all data at one version are found: the root of their tree, how long the last file of pages was, and what
 * an engine must remember besides. One frame in one file, which appears when all it refers to is durable.
 *
 * @param root null when there are no data
 * @param lastFile number of the last file of pages
 * @param lastFileBytes its length
 * @param outcomes of named commits that somebody may still ask for
 */
record RootFile(
        long version,
        long reservedVersion,
        PagedTrees.@Nullable Root root,
        long lastFile,
        long lastFileBytes,
        Map<RequestId, CommitOutcome> outcomes) {

    private static final int KIND = 0x21;

    static RootFile of(FrozenState frozen, PagedTrees.@Nullable Root root, Map<Long, Long> sizes) {
        long last = sizes.keySet().stream().reduce(0L, Math::max);
        return new RootFile(
                frozen.version(),
                frozen.reservedVersion(),
                root,
                last,
                sizes.getOrDefault(last, 0L),
                frozen.outcomes().get());
    }

    /** Number of the first file that is needed. */
    long firstFile() {
        return root == null ? lastFile + 1 : root.place().oldestFile();
    }

    /** Bytes of all pages that are needed. */
    long liveBytes() {
        return root == null ? 0 : root.place().subtreeBytes();
    }

    void write(Disk disk, StoreState state) throws IOException {
        FrameWriter out = new FrameWriter();
        out.begin();
        out.putByte(KIND);
        out.putLong(version);
        out.putLong(reservedVersion);
        out.putLong(lastFile);
        out.putLong(lastFileBytes);
        out.putByte(root == null ? 0 : 1);
        if (root != null) {
            Place place = root.place();
            out.putLong(root.weight());
            out.putLong(place.file());
            out.putLong(place.offset());
            out.putLong(place.length());
            out.putLong(place.checksum());
            out.putLong(place.subtreeBytes());
            out.putLong(place.oldestFile());
        }
        out.putCount(outcomes.size());
        outcomes.forEach((id, outcome) -> {
            out.putLong(id.client());
            out.putLong(id.sequence());
            out.putLong(outcome.version());
            out.putCount(outcome.batchIndex());
        });
        out.end();
        String part = state.partName(version);
        if (disk.list().contains(part)) {
            disk.delete(part);
        }
        try (Disk.File file = disk.create(part)) {
            file.append(out.content());
            file.sync();
        }
        disk.rename(part, state.rootName(version));
        disk.syncDirectory();
    }

    /**
     * Reads a root.
     *
     * @throws StoreDirectoryException if it is damaged or of a format this release does not read
     */
    static RootFile read(Disk disk, String name) throws IOException {
        ByteBuffer payload = LogFrames.take(StoreState.readWhole(disk, name));
        if (payload == null) {
            throw new StoreDirectoryException(
                    "The file " + disk.describe() + "/" + name + " is damaged. Nothing was changed; restore a backup");
        }
        int kind = payload.get();
        if (kind != KIND) {
            throw new StoreDirectoryException("The file " + disk.describe() + "/" + name + " is of kind " + kind
                    + ", and this release reads " + KIND + ". Nothing was changed; use the release that wrote it");
        }
        long version = payload.getLong();
        long reserved = payload.getLong();
        long lastFile = payload.getLong();
        long lastFileBytes = payload.getLong();
        PagedTrees.Root root = null;
        if (payload.get() == 1) {
            long weight = payload.getLong();
            root = new PagedTrees.Root(
                    new Place(
                            payload.getLong(),
                            payload.getLong(),
                            (int) payload.getLong(),
                            (int) payload.getLong(),
                            payload.getLong(),
                            payload.getLong()),
                    weight);
        }
        Map<RequestId, CommitOutcome> outcomes = new HashMap<>();
        for (int left = LogFrames.takeCount(payload); left > 0; left--) {
            RequestId id = new RequestId(payload.getLong(), payload.getLong());
            outcomes.put(id, new CommitOutcome(payload.getLong(), LogFrames.takeCount(payload)));
        }
        return new RootFile(version, reserved, root, lastFile, lastFileBytes, outcomes);
    }
}
