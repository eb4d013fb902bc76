/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which resting nodes are in memory: at most so many bytes of them, those that were not asked for lately going first (a
 * clock with one hand). Safe for use by any threads; a node that is in memory is had without coming here.
 */
final class NodeCache {

    /** Headers and references of one entry of a leaf. */
    static final long ENTRY_BYTES = 56;

    private static final long NODE_BYTES = 400;
    private static final long CHILD_BYTES = 200;

    private final PageStore store;
    private final ArrayDeque<Resting> clock = new ArrayDeque<>();
    private final long bytesMax;
    private long bytes;
    /** How many in the clock are not counted any more. */
    private int forgotten;

    private final LongAdder loads = new LongAdder();

    NodeCache(PageStore store, long bytesMax) {
        this.store = store;
        this.bytesMax = bytesMax;
    }

    /** About what a node takes in memory. */
    static long heapBytes(Resident node) {
        return switch (node) {
            case Leaf leaf -> NODE_BYTES + leaf.weight + leaf.count * ENTRY_BYTES;
            case Inner inner -> NODE_BYTES + inner.count * CHILD_BYTES;
        };
    }

    /** Brings a node to memory. */
    Resident load(Resting resting) {
        Resident node;
        synchronized (resting) {
            Resident present = resting.loaded();
            if (present != null) {
                return present;
            }
            node = read(resting);
            node.resting = resting;
            resting.keep(node);
        }
        loads.increment();
        admit(resting, node);
        return node;
    }

    private Resident read(Resting resting) {
        Place place = resting.place();
        ByteBuffer page = page(place);
        Place base = PageCodec.baseOf(page);
        resting.baseIs(base == null ? place : base);
        if (base == null) {
            return PageCodec.decode(page, this);
        }
        Leaf leaf = (Leaf) PageCodec.decode(page(base), this);
        PageCodec.addTo(leaf, page);
        return leaf;
    }

    private ByteBuffer page(Place place) {
        ByteBuffer page = ByteBuffer.allocate(place.length());
        IOException failure = null;
        try {
            store.read(place.file(), place.offset(), page);
        } catch (IOException e) {
            failure = e;
        }
        page.flip();
        if (failure != null || page.remaining() < place.length() || PageCodec.checksum(page) != place.checksum()) {
            String reason = failure == null ? "it is not as it was written" : String.valueOf(failure.getMessage());
            throw new PageException(
                    "The page of " + place.length() + " bytes at " + place.offset() + " in "
                            + store.describe(place.file()) + " can not be used (" + reason
                            + "); replace the disk if it fails, and restore a backup",
                    failure);
        }
        return page;
    }

    /** Counts a node that is in memory, and lets others go until all are within the limit. */
    synchronized void admit(Resting resting, Resident node) {
        clock.add(resting);
        bytes -= resting.countedBytes;
        resting.countedBytes = (int) heapBytes(node);
        bytes += resting.countedBytes;
        int looks = 2 * clock.size();
        while (bytes > bytesMax && looks-- > 0) {
            Resting candidate = clock.remove();
            if (candidate.countedBytes == 0) {
                forgotten--;
            } else if (candidate.touched) {
                candidate.touched = false;
                clock.add(candidate);
            } else {
                letGo(candidate);
            }
        }
    }

    private void letGo(Resting resting) {
        bytes -= resting.countedBytes;
        resting.countedBytes = 0;
        resting.drop();
    }

    /**
     * Lets a node go that only older versions of the data need: most of what it holds in memory is that of the node in
     * its place, so that counting both would leave half of the room unused.
     */
    synchronized void forget(Resting superseded) {
        if (superseded.countedBytes > 0) {
            letGo(superseded);
            forgotten++;
        }
        if (forgotten > clock.size() / 2) {
            clock.removeIf(resting -> resting.countedBytes == 0);
            forgotten = 0;
        }
    }

    /** Bytes of memory that nodes take which could be let go. */
    synchronized long bytes() {
        return bytes;
    }

    /** How many pages have been read so far. */
    long loads() {
        return loads.sum();
    }
}
