/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tree on pages is the tree it was in memory, whatever of it is in memory now, at the cost of what changes. */
class PagedTreesTest {

    private static PagedTrees trees(PageStore store, long residentBytesMax) {
        return new PagedTrees(store, residentBytesMax, (key, value) -> (long) key.length + value.length);
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static byte[] value(Random random) {
        byte[] value = new byte[random.nextInt(200)];
        random.nextBytes(value);
        return value;
    }

    private static void change(TreeEditor<byte[]> editor, NavigableMap<byte[], byte[]> model, Random random, int keys) {
        byte[] key = key(random.nextInt(keys));
        int choice = random.nextInt(40);
        if (choice == 0) {
            byte[] end = key(random.nextInt(keys));
            if (Arrays.compareUnsigned(key, end) < 0 && random.nextInt(4) == 0) {
                editor.removeRange(key, end);
                model.subMap(key, end).clear();
            }
        } else if (choice < 8) {
            assertThat(editor.remove(key)).isEqualTo(model.remove(key));
        } else {
            byte[] value = value(random);
            assertThat(editor.put(key, value)).isEqualTo(model.put(key, value));
        }
    }

    private static void checkSame(OrderedTree<byte[]> tree, NavigableMap<byte[], byte[]> model, Random random) {
        TreeCursor<byte[]> cursor = tree.cursor();
        boolean found = cursor.seekCeiling(new byte[0]);
        long weight = 0;
        for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
            assertThat(found).isTrue();
            assertThat(cursor.key()).isEqualTo(entry.getKey());
            assertThat(cursor.value()).isEqualTo(entry.getValue());
            weight += entry.getKey().length + entry.getValue().length;
            found = cursor.next();
        }
        assertThat(found).isFalse();
        assertThat(tree.weight()).isEqualTo(weight);
        for (int i = 0; i < 20; i++) {
            byte[] key = key(random.nextInt(5000));
            assertThat(tree.get(key)).isEqualTo(model.get(key));
            assertThat(cursor.seekLower(key)).isEqualTo(model.lowerKey(key) != null);
        }
    }

    /** As the store does it: changes go on while a frozen tree is written, and old files go when two more were. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatRestsIsWhatWasWrittenWhileOldFilesGoAndLittleIsInMemory(long seed) throws IOException {
        Random random = new Random(seed);
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 30_000);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        long oldest = 0;
        long deletable = 0;
        PagedTrees.Root root = null;
        for (int checkpoint = 0; checkpoint < 60; checkpoint++) {
            for (int i = 0; i < 300; i++) {
                change(editor, model, random, 5000);
            }
            OrderedTree<byte[]> frozen = editor.freeze();
            TreeMap<byte[], byte[]> frozenModel = new TreeMap<>(model);
            for (int i = 0; i < 50; i++) {
                change(editor, model, random, 5000);
            }
            long live = root == null ? 0 : root.place().subtreeBytes();
            if (store.totalBytes() > 2 * live + MemoryPages.FILE_BYTES) {
                oldest = Math.max(oldest, Math.min(store.files.firstKey() + 3, store.files.lastKey()));
            }
            oldest = Math.max(oldest, deletable);
            root = trees.rest(frozen, oldest);
            trees.relink(editor.freeze());
            store.deleteBefore(deletable);
            deletable = root == null ? 0 : root.place().oldestFile();
            assertThat(deletable).isGreaterThanOrEqualTo(oldest);
            checkSame(trees(store, 5_000).open(root), frozenModel, random);
            assertThat(trees.residentBytes()).isLessThanOrEqualTo(30_000);
        }
        checkSame(editor.freeze(), model, random);
        assertThat(store.files.firstKey()).as("old files were deleted").isGreaterThan(10);
        assertThat(store.totalBytes()).isLessThan(3 * root.place().subtreeBytes() + 10 * MemoryPages.FILE_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 300_000})
    void writingCostsWhatHasChangedWhateverTheSizeOfTheDatabase(int keys) throws IOException {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 1 << 20);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        for (int i = 0; i < keys; i++) {
            editor.put(key(i), new byte[50]);
            if (i % 50_000 == 0) {
                trees.rest(editor.freeze(), 0);
            }
        }
        PagedTrees.Root before = trees.rest(editor.freeze(), 0);
        long pagesBefore = trees.pagesWritten();
        long bytesBefore = store.bytesWritten;
        Random random = new Random(keys);
        for (int i = 0; i < 10; i++) {
            editor.put(key(random.nextInt(keys)), new byte[50]);
        }
        trees.rest(editor.freeze(), 0);
        assertThat(trees.pagesWritten() - pagesBefore)
                .as("a path of at most 5 per change")
                .isLessThanOrEqualTo(50);
        assertThat(store.bytesWritten - bytesBefore).isLessThan(150_000);

        long readBefore = trees.pagesRead();
        PagedTrees again = trees(store, 1 << 20);
        TreeEditor<byte[]> clearing = again.open(before).edit();
        clearing.removeRange(key(5), key(keys - 5));
        assertThat(clearing.weight()).isEqualTo(10 * 54);
        assertThat(again.pagesRead()).as("a clear reads its two edges").isLessThanOrEqualTo(20);
        assertThat(trees.pagesRead()).isEqualTo(readBefore);
    }

    @Test
    void anEntryThatChangesIsWrittenBesideItsPageAWholePageOnlyAfterSeveral() throws IOException {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 1 << 20);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        Random random = new Random(5);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < 10_000; i += 2) {
            editor.put(key(i), new byte[100]);
            model.put(key(i), new byte[100]);
        }
        trees.rest(editor.freeze(), 0);
        long bytesBefore = store.bytesWritten;
        int rounds = 400;
        PagedTrees.Root root = null;
        for (int i = 0; i < rounds; i++) {
            byte[] key = key(random.nextInt(26));
            byte[] value = new byte[100];
            random.nextBytes(value);
            editor.put(key, value);
            model.put(key, value);
            root = trees.rest(editor.freeze(), 0);
        }
        checkSame(trees(store, 1 << 20).open(root), model, random);
        long innerBytes = 2 * 32 * (4 + 4 + 8 + 40);
        assertThat((store.bytesWritten - bytesBefore) / rounds - innerBytes)
                .as("bytes of the leaf, of up to 3 kB, for each change")
                .isLessThan(1_200);
    }

    /** Directories have such pages for as long as their format is read. */
    @Test
    void aPageOfChangesHasTheseBytes() throws IOException {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 1 << 20);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        for (int i = 0; i < 8; i++) {
            editor.put(key(i), new byte[20]);
        }
        int begin = trees.rest(editor.freeze(), 0).place().length();
        byte[] value = new byte[20];
        Arrays.fill(value, (byte) 7);
        editor.put(key(3), value);
        Place place = trees.rest(editor.freeze(), 0).place();
        assertThat(place.offset()).isEqualTo(begin);
        assertThat(place.subtreeBytes()).isEqualTo(begin + place.length());
        byte[] page = Arrays.copyOfRange(store.files.get(1L), begin, begin + place.length());
        assertThat(HexFormat.of().formatHex(page))
                .isEqualTo("0301"
                        + "000000000000000100000000000000000000" // where its leaf is
                        + "01028db12744" // length and checksum of that
                        + "000000040000001400000003"
                        + "07".repeat(20));
    }

    @Test
    void whatRestsCostsNothingToOpenAndAReadCostsItsPath() throws IOException {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 1 << 20);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        for (int i = 0; i < 100_000; i++) {
            editor.put(key(i), key(i));
        }
        PagedTrees.Root root = trees.rest(editor.freeze(), 0);
        PagedTrees again = trees(store, 1 << 20);
        OrderedTree<byte[]> tree = again.open(root);
        assertThat(again.pagesRead()).isEqualTo(1);
        assertThat(tree.get(key(77_777))).isEqualTo(key(77_777));
        assertThat(tree.weightBefore(key(50_000))).isEqualTo(400_000);
        assertThat(again.pagesRead()).isLessThanOrEqualTo(8);
    }

    @Test
    void aPageThatIsNotAsItWasWrittenIsToldAndNeverServed() throws IOException {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 1 << 20);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        for (int i = 0; i < 2000; i++) {
            editor.put(key(i), key(i % 10 == 0 ? -1 : i));
        }
        trees.rest(editor.freeze(), 0);
        for (int i = 0; i < 2000; i += 10) {
            editor.put(key(i), key(i));
        }
        PagedTrees.Root root = trees.rest(editor.freeze(), 0);
        int told = 0;
        for (int position = 0; position < store.totalBytes(); position += 97) {
            store.files.get(1L)[position] ^= 1;
            for (int i = 0; i < 2000; i += 31) {
                try {
                    assertThat(trees(store, 1 << 20).open(root).get(key(i))).isEqualTo(key(i));
                } catch (PageException e) {
                    told++;
                    assertThat(e).hasMessageContaining("file 1").hasMessageContaining("restore a backup");
                }
            }
            store.files.get(1L)[position] ^= 1;
        }
        assertThat(told).isGreaterThan(100);
        store.files.get(1L)[(int) root.place().offset()] ^= 1;
        assertThatThrownBy(() -> trees(store, 1 << 20).open(root)).isInstanceOf(PageException.class);
    }

    @Test
    void manyThreadsReadWhileTheTreeIsWrittenAndTheCacheIsSmall() throws Exception {
        MemoryPages store = new MemoryPages();
        PagedTrees trees = trees(store, 20_000);
        TreeEditor<byte[]> editor = trees.open(null).edit();
        for (int i = 0; i < 5000; i++) {
            editor.put(key(i), key(i));
        }
        OrderedTree<byte[]> tree = editor.freeze();
        java.util.concurrent.atomic.AtomicInteger wrong = new java.util.concurrent.atomic.AtomicInteger();
        Thread[] readers = new Thread[3];
        for (int t = 0; t < readers.length; t++) {
            Random random = new Random(t);
            readers[t] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 30_000; i++) {
                    int number = random.nextInt(5000);
                    if (!Arrays.equals(tree.get(key(number)), key(number))) {
                        wrong.incrementAndGet();
                    }
                }
            });
        }
        for (int i = 0; i < 20; i++) {
            trees.rest(tree, i);
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(wrong).hasValue(0);
    }
}
