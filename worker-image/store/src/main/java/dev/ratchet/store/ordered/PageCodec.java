/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import dev.ratchet.store.ordered.TreeNode.Inner;
import dev.ratchet.store.ordered.TreeNode.Leaf;
import dev.ratchet.store.ordered.TreeNode.Resident;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Nodes as bytes: kind (1), count (1), then the entries. Of a leaf: lengths (4 and 4), key, value. Of an inner node:
 * length of the key (4), key, weight (8), and the fields of the child's {@link Place}. A page of changes has, before
 * its entries, which are new or have other values, the leaf's page that they belong to: file (8), offset (8), length
 * (4), checksum (4). Numbers are big-endian. Pure.
 */
final class PageCodec {

    private static final byte LEAF = 1;
    private static final byte INNER = 2;
    private static final byte CHANGES = 3;
    private static final int HEADER_BYTES = 2;
    private static final int BASE_BYTES = 8 + 8 + 4 + 4;
    private static final int CHILD_BYTES = 8 + 8 + 8 + 4 + 4 + 8 + 8;
    private static final Object NOBODY = new Object();

    private PageCodec() {}

    /** The bytes of a leaf, or of an inner node all of whose children rest. */
    static ByteBuffer encode(Resident node) {
        return node instanceof Inner inner ? encode(inner) : encode((Leaf) node);
    }

    private static ByteBuffer encode(Leaf leaf) {
        int all = (int) ((1L << leaf.count) - 1);
        ByteBuffer page = ByteBuffer.allocate(HEADER_BYTES + entryBytes(leaf, all));
        page.put(LEAF).put((byte) leaf.count);
        putEntries(leaf, all, page);
        return page.flip();
    }

    /** What a page of the changes of a leaf takes. */
    static int changesBytes(Leaf leaf) {
        return HEADER_BYTES + BASE_BYTES + entryBytes(leaf, leaf.changed());
    }

    /** The entries of a leaf that differ from those on the page at {@code base}. */
    static ByteBuffer encodeChanges(Leaf leaf, Place base) {
        ByteBuffer page = ByteBuffer.allocate(changesBytes(leaf));
        page.put(CHANGES).put((byte) Integer.bitCount(leaf.changed()));
        page.putLong(base.file()).putLong(base.offset());
        page.putInt(base.length()).putInt(base.checksum());
        putEntries(leaf, leaf.changed(), page);
        return page.flip();
    }

    private static int entryBytes(Leaf leaf, int which) {
        int size = 0;
        for (int rest = which; rest != 0; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            size += 8 + leaf.keys[i].length + ((byte[]) leaf.slot(i)).length;
        }
        return size;
    }

    private static void putEntries(Leaf leaf, int which, ByteBuffer page) {
        for (int rest = which; rest != 0; rest &= rest - 1) {
            int i = Integer.numberOfTrailingZeros(rest);
            byte[] value = (byte[]) leaf.slot(i);
            page.putInt(leaf.keys[i].length).putInt(value.length);
            page.put(leaf.keys[i]).put(value);
        }
    }

    private static ByteBuffer encode(Inner inner) {
        int size = HEADER_BYTES;
        for (int i = 0; i < inner.count; i++) {
            size += 4 + inner.keys[i].length + CHILD_BYTES;
        }
        ByteBuffer page = ByteBuffer.allocate(size).put(INNER).put((byte) inner.count);
        for (int i = 0; i < inner.count; i++) {
            Place place = ((Resting) inner.child(i)).place();
            page.putInt(inner.keys[i].length).put(inner.keys[i]);
            page.putLong(inner.child(i).weight);
            page.putLong(place.file()).putLong(place.offset());
            page.putInt(place.length()).putInt(place.checksum());
            page.putLong(place.subtreeBytes()).putLong(place.oldestFile());
        }
        return page.flip();
    }

    /** The node in a sound page; it belongs to no editor, and its children rest. */
    static Resident decode(ByteBuffer page, NodeCache cache) {
        byte kind = page.get();
        int count = page.get();
        if (kind == LEAF) {
            Leaf leaf = new Leaf(NOBODY);
            for (int i = 0; i < count; i++) {
                byte[] key = new byte[page.getInt()];
                byte[] value = new byte[page.getInt()];
                page.get(key).get(value);
                leaf.append(key, value);
                leaf.weight += key.length + value.length;
            }
            leaf.changedNothing();
            return leaf;
        }
        if (kind != INNER) {
            throw new PageException("A sound page has the unknown kind " + kind + "; it is of a later release", null);
        }
        Inner inner = new Inner(NOBODY);
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[page.getInt()];
            page.get(key);
            long weight = page.getLong();
            Place place = new Place(
                    page.getLong(), page.getLong(), page.getInt(), page.getInt(), page.getLong(), page.getLong());
            inner.append(key, new Resting(cache, place, weight));
            inner.weight += weight;
        }
        return inner;
    }

    /** Where the page is to which this one adds; null for a page that says all. */
    static @Nullable Place baseOf(ByteBuffer page) {
        if (page.get(0) != CHANGES) {
            return null;
        }
        ByteBuffer base = page.duplicate().position(HEADER_BYTES);
        long file = base.getLong();
        long offset = base.getLong();
        int length = base.getInt();
        return new Place(file, offset, length, base.getInt(), length, file);
    }

    /** Adds what is on a page of changes to the leaf that they belong to. */
    static void addTo(Leaf leaf, ByteBuffer changes) {
        int count = changes.get(1);
        changes.position(HEADER_BYTES + BASE_BYTES);
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[changes.getInt()];
            byte[] value = new byte[changes.getInt()];
            changes.get(key).get(value);
            int index = leaf.indexOf(key);
            if (index < 0) {
                leaf.insertEntry(-index - 1, key, value);
                leaf.weight += key.length + value.length;
            } else {
                leaf.weight += value.length - ((byte[]) leaf.slot(index)).length;
                leaf.replaceEntry(index, value);
            }
        }
    }

    static int checksum(ByteBuffer page) {
        CRC32C crc = new CRC32C();
        crc.update(page.duplicate());
        return (int) crc.getValue();
    }
}
