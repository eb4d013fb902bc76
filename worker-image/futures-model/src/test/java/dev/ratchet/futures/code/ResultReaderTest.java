/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reading costs no more memory than the bytes are worth, and collections of any size are none too many. */
class ResultReaderTest {

    private static final ResultReader READER = new ResultReader(new ResultClasses(type -> false));
    private static final ClassLoader LOADER = ResultReaderTest.class.getClassLoader();

    @Test
    void arraysThatTheirBytesCanNotFillAreRefused() throws IOException {
        for (Class<?> type : List.of(Object[].class, byte[].class, long[].class)) {
            byte[] bytes = announced(type, Integer.MAX_VALUE - 8);

            assertThatThrownBy(() -> READER.read(bytes, LOADER))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("arrays of 2147483639 elements, more than its bytes can fill");
        }
    }

    @Test
    void collectionsOfAnySizeAreRead() throws Exception {
        for (int size : new int[] {0, 1, 2, 13, 1_000, 50_000}) {
            List<Integer> numbers = IntStream.range(0, size).boxed().toList();
            Map<Integer, Integer> sparse = new HashMap<>(16, 0.1f);
            numbers.forEach(number -> sparse.put(number, null));
            BitSet bits = new BitSet();
            bits.set(0, size);

            assertThat(READER.read(written(sparse), LOADER)).isEqualTo(sparse);
            assertThat(READER.read(written(new HashSet<>(numbers)), LOADER)).isEqualTo(new HashSet<>(numbers));
            assertThat(READER.read(written(new TreeSet<>(numbers)), LOADER)).isEqualTo(new TreeSet<>(numbers));
            assertThat(READER.read(written(new ArrayList<>(numbers)), LOADER)).isEqualTo(numbers);
            assertThat((ArrayDeque<?>) READER.read(written(new ArrayDeque<>(numbers)), LOADER))
                    .hasSize(size);
            assertThat((PriorityQueue<?>) READER.read(written(new PriorityQueue<>(numbers)), LOADER))
                    .hasSize(size);
            assertThat(READER.read(written(bits), LOADER)).isEqualTo(bits);
            assertThat(READER.read(written(new boolean[size]), LOADER)).isEqualTo(new boolean[size]);
            assertThat(READER.read(written(Collections.nCopies(size, "same")), LOADER))
                    .isEqualTo(Collections.nCopies(size, "same"));
        }
    }

    @Test
    void setsInMapsInListsAreReadHoweverDeep() throws Exception {
        Set<Object> deep = new HashSet<>();
        for (int level = 0; level < 20; level++) {
            deep = new HashSet<>(Set.of(level, new ArrayList<>(List.of(new HashMap<>(Map.of("level", deep))))));
        }

        assertThat(READER.read(written(deep), LOADER)).isEqualTo(deep);
    }

    @Test
    void arraysInArraysAreNoLargerTogetherThanTheBytes() throws IOException {
        ByteArrayOutputStream nested = new ByteArrayOutputStream();
        for (int level = 0; level < 100; level++) {
            byte[] announced = announced(Object[].class, 50_000);
            nested.write(
                    announced, level == 0 ? 0 : Short.BYTES * 2, announced.length - (level == 0 ? 0 : Short.BYTES * 2));
        }

        assertThatThrownBy(() -> READER.read(nested.toByteArray(), LOADER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("arrays of 100000 elements, more than its bytes can fill");
    }

    @Test
    void setsOfSetsThatTakeTooLongAreGivenUpAndOthersRead() throws Exception {
        Set<Object> root = new HashSet<>();
        Set<Object> one = root;
        Set<Object> other = new HashSet<>();
        for (int level = 0; level < 24; level++) {
            Set<Object> next = new HashSet<>(Set.of("told apart"));
            Set<Object> beside = new HashSet<>();
            one.addAll(List.of(next, beside));
            other.addAll(List.of(next, beside));
            one = next;
            other = beside;
        }
        byte[] bomb = written(root);
        ResultReader hasty = new ResultReader(new ResultClasses(type -> false), Optional.of(Duration.ofMillis(20)));

        assertThatThrownBy(() -> hasty.read(bomb, LOADER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reading it takes longer than 20 ms");
        assertThat(hasty.read(written(new HashSet<>(Set.of(1))), LOADER)).isEqualTo(Set.of(1));
    }

    private static byte[] written(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    /** An array of so many elements, none of which follows. */
    private static byte[] announced(Class<?> type, int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_ARRAY);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(type.getName());
        out.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
        out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeInt(length);
        return bytes.toByteArray();
    }
}
