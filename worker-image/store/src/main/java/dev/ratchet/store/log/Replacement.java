/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import dev.ratchet.store.engine.FrozenState;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PagedTrees;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.RequestId;
import java.io.IOException;
import java.util.Map;

/**
 * New contents of a directory, written beside what is there under the next epoch, which takes its place at once when it
 * is whole. Takes entries in ascending order, however many. To be closed.
 */
final class Replacement implements AutoCloseable {

    private static final long DIRTY_BYTES_MAX = 32L << 20;

    private final Disk disk;
    private final long epoch;
    private final Pages pages;
    private final TreeEditor<byte[]> data;
    private long dirtyBytes;
    private boolean finished;

    Replacement(Disk disk, long epoch) throws IOException {
        this.disk = disk;
        this.epoch = epoch;
        deleteAll();
        pages = Pages.of(disk, state(1, 1), DIRTY_BYTES_MAX);
        data = pages.trees().open(null).edit();
    }

    private StoreState state(long generation, long version) {
        return new StoreState(StoreState.FORMAT, generation, epoch, version);
    }

    void add(byte[] key, byte[] value) throws IOException {
        data.put(key, value);
        dirtyBytes += StartingPoint.weigh(key, value);
        if (dirtyBytes >= DIRTY_BYTES_MAX) {
            pages.trees().rest(data.freeze(), 0);
            dirtyBytes = 0;
        }
    }

    /** Makes it what the directory holds. */
    void finish(long generation, long version, Map<RequestId, CommitOutcome> outcomes) throws IOException {
        OrderedTree<byte[]> tree = data.freeze();
        PagedTrees.Root root = pages.trees().rest(tree, 0);
        pages.files().sync();
        StoreState after = state(generation, version);
        FrozenState frozen = new FrozenState(version, version, tree, () -> outcomes);
        RootFile.of(frozen, root, pages.files().sizes()).write(disk, after);
        after.write(disk);
        finished = true;
    }

    @Override
    public void close() throws IOException {
        pages.files().close();
        if (!finished) {
            deleteAll();
        }
    }

    private void deleteAll() throws IOException {
        StoreState state = state(1, 1);
        for (String name : disk.list()) {
            if (state.owns(name)) {
                disk.delete(name);
            }
        }
    }
}
