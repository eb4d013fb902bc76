/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordCountsTest {

    @Test
    void aWordIsARunOfLettersInAnyCase() {
        assertThat(WordCounts.of(bytes("Don't stop, DON'T!")).words())
                .containsExactlyInAnyOrderEntriesOf(new TreeMap<>(java.util.Map.of("don", 2L, "t", 2L, "stop", 1L)));
    }

    @Test
    void noBytesAreNoWords() {
        assertThat(WordCounts.of(new byte[0]).words()).isEmpty();
        assertThat(WordCounts.concatenate(List.of()).words()).isEmpty();
    }

    @Test
    void bytesBeyondAsciiEndAWordAndAreNone() {
        assertThat(WordCounts.of(bytes("naïve\0Ünder")).words().keySet()).containsExactly("na", "nder", "ve");
    }

    @Test
    void aRunOfLettersOverManyPiecesIsOneWord() {
        List<WordCounts> pieces = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pieces.add(WordCounts.of(bytes("aB".repeat(5_000))));
        }
        assertThat(WordCounts.concatenate(pieces).words())
                .containsExactly(java.util.Map.entry("ab".repeat(500_000), 1L));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whereverTheStreamIsCutTheCountsAreThoseOfTheWhole(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] stream = randomText(random, 20_000);
        List<WordCounts> pieces = new ArrayList<>();
        for (int from = 0; from < stream.length; ) {
            int to = Math.min(stream.length, from + random.nextInt(1, 1 + (int) Math.pow(10, random.nextInt(1, 5))));
            pieces.add(copied(WordCounts.of(Arrays.copyOfRange(stream, from, to))));
            from = to;
        }
        WordCounts merged = copied(mergedAtRandom(pieces, random));
        assertThat(merged.words()).as("seed %d", seed).isEqualTo(byTheBook(stream));
    }

    /** Merges neighbours in a random order: any bracketing gives the same. */
    private static WordCounts mergedAtRandom(List<WordCounts> pieces, Random random) {
        List<WordCounts> left = new ArrayList<>(pieces);
        while (left.size() > 1) {
            int at = random.nextInt(left.size() - 1);
            left.set(at, left.get(at).then(left.remove(at + 1)));
        }
        return left.get(0);
    }

    private static SortedMap<String, Long> byTheBook(byte[] stream) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (String word : new String(stream, StandardCharsets.ISO_8859_1).split("[^A-Za-z]+", -1)) {
            if (!word.isEmpty()) {
                counts.merge(word.toLowerCase(Locale.ROOT), 1L, Long::sum);
            }
        }
        return counts;
    }

    static byte[] randomText(Random random, int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            int kind = random.nextInt(10);
            text[i] = (byte) (kind < 7 ? "abAB".charAt(random.nextInt(4)) : kind < 9 ? ' ' : random.nextInt(256));
        }
        return text;
    }

    private static WordCounts copied(WordCounts counts) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(counts);
        }
        try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (WordCounts) input.readObject();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
