/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often each word occurs in a piece of a stream of bytes, and the letters at both of its ends, which may belong to
 * words that go on in the neighbouring pieces. A word is a maximal run of ASCII letters, in lower case.
 *
 * <p>Pieces form a monoid: {@code of(a + b)} equals {@code of(a).then(of(b))} wherever the stream is cut, which is what
 * makes the count exact. Immutable once made.
 */
public final class WordCounts implements Externalizable {

    private static final long serialVersionUID = 1L;

    private Map<String, Long> counts;
    /** Letters before the first other byte; the whole piece if there is none. */
    private String head;
    /** Letters after the last other byte; empty if there is none. */
    private String tail;

    private boolean onlyLetters;

    /** The counts of nothing; also what deserialisation starts with. */
    public WordCounts() {
        this(Map.of(), "", "", true);
    }

    private WordCounts(Map<String, Long> counts, String head, String tail, boolean onlyLetters) {
        this.counts = counts;
        this.head = head;
        this.tail = tail;
        this.onlyLetters = onlyLetters;
    }

    /** Counts one piece. */
    public static WordCounts of(byte[] piece) {
        byte[] lower = new byte[piece.length];
        int first = -1;
        int start = 0;
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i < piece.length; i++) {
            byte letter = lowerCase(piece[i]);
            lower[i] = letter;
            if (letter == 0) {
                if (first < 0) {
                    first = i;
                } else if (i > start) {
                    counts.merge(text(lower, start, i), 1L, Long::sum);
                }
                start = i + 1;
            }
        }
        return first < 0
                ? new WordCounts(counts, text(lower, 0, piece.length), "", true)
                : new WordCounts(counts, text(lower, 0, first), text(lower, start, piece.length), false);
    }

    /** The counts of this piece and the one that follows it. */
    public WordCounts then(WordCounts next) {
        return concatenate(List.of(this, next));
    }

    /** The counts of pieces that follow one another. */
    public static WordCounts concatenate(List<WordCounts> pieces) {
        Map<String, Long> counts = new HashMap<>();
        String head = "";
        StringBuilder open = new StringBuilder();
        boolean onlyLetters = true;
        for (WordCounts piece : pieces) {
            piece.counts.forEach((word, count) -> counts.merge(word, count, Long::sum));
            open.append(piece.head);
            if (!piece.onlyLetters) {
                if (onlyLetters) {
                    head = open.toString();
                } else {
                    add(counts, open.toString());
                }
                onlyLetters = false;
                open.setLength(0);
                open.append(piece.tail);
            }
        }
        return onlyLetters
                ? new WordCounts(counts, open.toString(), "", true)
                : new WordCounts(counts, head, open.toString(), false);
    }

    /** All words, where this is the whole stream, in the order of their bytes. */
    public SortedMap<String, Long> words() {
        SortedMap<String, Long> words = new TreeMap<>(counts);
        add(words, head);
        add(words, tail);
        return words;
    }

    private static void add(Map<String, Long> counts, String word) {
        if (!word.isEmpty()) {
            counts.merge(word, 1L, Long::sum);
        }
    }

    private static byte lowerCase(byte value) {
        if (value >= 'a' && value <= 'z') {
            return value;
        }
        return value >= 'A' && value <= 'Z' ? (byte) (value + ('a' - 'A')) : 0;
    }

    private static String text(byte[] letters, int from, int to) {
        return new String(letters, from, to - from, StandardCharsets.US_ASCII);
    }

    @Override
    public void writeExternal(ObjectOutput output) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeBoolean(onlyLetters);
        writeText(data, head);
        writeText(data, tail);
        data.writeInt(counts.size());
        for (Map.Entry<String, Long> count : new TreeMap<>(counts).entrySet()) {
            writeText(data, count.getKey());
            data.writeLong(count.getValue());
        }
        output.writeInt(bytes.size());
        output.write(bytes.toByteArray());
    }

    @Override
    public void readExternal(ObjectInput input) throws IOException {
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        DataInputStream data = new DataInputStream(new ByteArrayInputStream(bytes));
        onlyLetters = data.readBoolean();
        head = readText(data);
        tail = readText(data);
        int size = data.readInt();
        counts = new HashMap<>();
        for (int i = 0; i < size; i++) {
            counts.put(readText(data), data.readLong());
        }
    }

    private static void writeText(DataOutputStream data, String text) throws IOException {
        data.writeInt(text.length());
        data.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String readText(DataInputStream data) throws IOException {
        return new String(data.readNBytes(data.readInt()), StandardCharsets.US_ASCII);
    }
}
