/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The persistent tree behaves as a sorted map of which every version is kept. */
class OrderedTreeTest {

    private record Version(OrderedTree<Integer> tree, TreeMap<byte[], Integer> model) {}

    private static byte[] key(Random random) {
        byte[] key = new byte[1 + random.nextInt(3)];
        random.nextBytes(key);
        key[0] &= 15;
        return key;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyVersionKeepsWhatItHeld(long seed) {
        Random random = new Random(seed);
        TreeEditor<Integer> editor =
                OrderedTree.<Integer>empty((key, value) -> key.length).edit();
        TreeMap<byte[], Integer> model = new TreeMap<>(Arrays::compareUnsigned);
        List<Version> versions = new ArrayList<>();
        for (int step = 0; step < 12_000; step++) {
            byte[] key = key(random);
            switch (random.nextInt(10)) {
                case 0, 1 -> assertThat(editor.remove(key)).isEqualTo(model.remove(key));
                case 2 -> {
                    byte[] end = key(random);
                    if (random.nextInt(10) == 0 && Arrays.compareUnsigned(key, end) < 0) {
                        editor.removeRange(key, end);
                        model.subMap(key, end).clear();
                    }
                }
                default -> assertThat(editor.put(key, step)).isEqualTo(model.put(key, step));
            }
            if (step % 2000 == 0) {
                TreeMap<byte[], Integer> copy = new TreeMap<>(Arrays::compareUnsigned);
                copy.putAll(model);
                versions.add(new Version(editor.freeze(), copy));
            }
        }
        versions.add(new Version(editor.freeze(), model));
        versions.forEach(version -> check(version, random));
    }

    private static void check(Version version, Random random) {
        TreeCursor<Integer> cursor = version.tree.cursor();
        boolean found = cursor.seekCeiling(new byte[0]);
        for (Map.Entry<byte[], Integer> entry : version.model.entrySet()) {
            assertThat(found).isTrue();
            assertThat(cursor.key()).isEqualTo(entry.getKey());
            assertThat(cursor.value()).isEqualTo(entry.getValue());
            found = cursor.next();
        }
        assertThat(found).isFalse();
        for (int i = 0; i < 300; i++) {
            byte[] key = key(random);
            assertThat(version.tree.get(key)).isEqualTo(version.model.get(key));
            assertStands(cursor.seekCeiling(key), cursor, version.model.ceilingKey(key));
            assertStands(cursor.seekLower(key), cursor, version.model.lowerKey(key));
            assertStands(cursor.seekFloor(key), cursor, version.model.floorKey(key));
            long before = version.model.headMap(key).keySet().stream()
                    .mapToLong(one -> one.length)
                    .sum();
            assertThat(version.tree.weightBefore(key)).isEqualTo(before);
        }
    }

    private static void assertStands(boolean found, TreeCursor<Integer> cursor, byte[] expected) {
        assertThat(found).isEqualTo(expected != null);
        if (expected != null) {
            assertThat(cursor.key()).isEqualTo(expected);
        }
    }

    @Test
    void aBuiltTreeIsTheSameAsAnEditedOne() {
        TreeBuilder<Integer> builder = new TreeBuilder<>((key, value) -> 1);
        for (int i = 0; i < 100_000; i++) {
            builder.add(new byte[] {(byte) (i >>> 16), (byte) (i >>> 8), (byte) i}, i);
        }
        OrderedTree<Integer> tree = builder.build();
        assertThat(tree.weight()).isEqualTo(100_000);
        assertThat(tree.get(new byte[] {0, 1, 2})).isEqualTo(258);
        assertThat(tree.weightBefore(new byte[] {1, 0, 0})).isEqualTo(65_536);
        assertThat(tree.keyAtWeight(65_536)).isEqualTo(new byte[] {1, 0, 0});
    }
}
