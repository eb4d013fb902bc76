/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.OrderedTree.Weigher;
import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Trees of byte strings whose nodes rest on pages. Pages are never changed: a tree that differs from one which rests
 * already shares its pages and adds those of the paths that differ, so writing it costs what has changed. Of a leaf in
 * which little has changed since its page was written a page of these changes is written, and both are read.
 *
 * <p>Every page knows the lowest number of a file that any page below it is in. That is all it takes to get rid of old
 * files: to move what is still needed out of the files before a number is to descend only to where such pages are, and
 * what no tree needs is never looked at.
 *
 * <p>One thread at a time writes; trees are read meanwhile by any.
 */
public final class PagedTrees {

    /** Changes of a leaf of 26 entries are written up to eight times before it is written whole. */
    private static final int CHANGES_PART = 3;

    private final PageStore store;
    private final NodeCache cache;
    private final Weigher<byte[]> weigher;
    private long pagesWritten;

    /**
     * What a tree is found by.
     *
     * @param weight of all its entries
     */
    public record Root(Place place, long weight) {}

    /**
     * Trees in files.
     *
     * @param residentBytesMax how much memory nodes may take that rest as well
     */
    public PagedTrees(PageStore store, long residentBytesMax, Weigher<byte[]> weigher) {
        this.store = store;
        this.weigher = weigher;
        cache = new NodeCache(store, residentBytesMax);
    }

    /**
     * A tree that rests; null for the empty one. Reads one page.
     *
     * @throws PageException if that is damaged
     */
    public OrderedTree<byte[]> open(@Nullable Root root) {
        return root == null
                ? OrderedTree.empty(weigher)
                : new OrderedTree<>(new Resting(cache, root.place, root.weight).node(), weigher);
    }

    /**
     * Writes all of a tree that does not rest yet, and moves what rests in files before {@code oldestFile}. Afterwards
     * the tree needs no memory but what the cache grants it, and no older file.
     *
     * @param oldestFile no lower than that of any root written before, since older files may be gone
     * @return null for the empty tree
     */
    public @Nullable Root rest(OrderedTree<byte[]> tree, long oldestFile) throws IOException {
        if (tree.root == null) {
            return null;
        }
        Resting root = rest(tree.root, oldestFile);
        return new Root(root.place(), root.weight);
    }

    private Resting rest(TreeNode node, long oldestFile) throws IOException {
        Resting stub = node instanceof Resting resting ? resting : ((Resident) node).resting;
        if (stub != null && stub.place().oldestFile() >= oldestFile) {
            return stub;
        }
        Resident content = node instanceof Resting resting ? resting.node() : (Resident) node;
        long bytesBelow = 0;
        long oldestBelow = Long.MAX_VALUE;
        if (content instanceof Inner inner) {
            for (int i = 0; i < inner.count; i++) {
                Resting child = rest(inner.child(i), oldestFile);
                inner.replaceSlot(i, child);
                bytesBelow += child.place().subtreeBytes();
                oldestBelow = Math.min(oldestBelow, child.place().oldestFile());
            }
        }
        Place base = stub == null && content instanceof Leaf leaf ? baseOfChanges(leaf, oldestFile) : null;
        if (base != null) {
            bytesBelow = base.length();
            oldestBelow = base.file();
        }
        ByteBuffer page = base == null ? PageCodec.encode(content) : PageCodec.encodeChanges((Leaf) content, base);
        int length = page.remaining();
        int checksum = PageCodec.checksum(page);
        PageStore.Position position = store.append(page);
        pagesWritten++;
        long oldest = Math.min(oldestBelow, position.file());
        Place place = new Place(position.file(), position.offset(), length, checksum, bytesBelow + length, oldest);
        if (stub != null) {
            stub.moveTo(place);
            return stub;
        }
        Resting written = new Resting(cache, place, content.weight);
        written.baseIs(base == null ? place : base);
        written.keep(content);
        // Readers come upon it through a plain array element: it must be whole before it is there.
        VarHandle.releaseFence();
        content.resting = written;
        cache.admit(written, content);
        Resting former = content.former;
        if (former != null) {
            cache.forget(former);
            content.former = null;
        }
        return written;
    }

    /** The page beside which only the changes of a leaf are to be written; null where it is to be written whole. */
    private static @Nullable Place baseOfChanges(Leaf leaf, long oldestFile) {
        Resting former = leaf.former;
        Place base = former == null || !leaf.extendsFormer() ? null : former.base();
        if (base == null || base.file() < oldestFile) {
            return null;
        }
        return PageCodec.changesBytes(leaf) <= base.length() / CHANGES_PART ? base : null;
    }

    /**
     * Lets a tree that was made while another was written go by what that has written, so that it does not keep nodes
     * in memory which rest. Costs what differs between the two.
     */
    public void relink(OrderedTree<byte[]> tree) {
        if (tree.root != null) {
            relink(tree.root);
        }
    }

    private static void relink(Resident node) {
        if (node.resting == null && node instanceof Inner inner) {
            for (int i = 0; i < inner.count; i++) {
                if (inner.child(i) instanceof Resident child) {
                    if (child.resting != null) {
                        inner.replaceSlot(i, child.resting);
                    } else {
                        relink(child);
                    }
                }
            }
        }
    }

    /** Bytes of memory that nodes take which rest as well. */
    public long residentBytes() {
        return cache.bytes();
    }

    /** How many pages have been written by this object. */
    public long pagesWritten() {
        return pagesWritten;
    }

    /** How many pages have been read by this object. */
    public long pagesRead() {
        return cache.loads();
    }
}
