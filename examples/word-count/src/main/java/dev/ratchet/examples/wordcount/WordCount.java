/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Counts the words of a folder of text: a future for each piece of the text, and a tree of futures that add up their
 * counts. The text travels with the futures, a few pieces at a time, so workers need no access to the folder.
 */
public final class WordCount implements Program {

    private static final int PIECE_BYTES = 64 << 10;
    private static final Pattern WORD = Pattern.compile("[a-z]+");

    /** For {@code ratchet submit --class}. */
    public WordCount() {}

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        if (arguments.size() != 1) {
            throw new InvalidInputException("Name the folder whose words are to be counted.");
        }
        FolderContent files = FolderContent.in(Path.of(arguments.get(0)));
        DurableFuture<SortedMap<String, Long>> counts = ratchet.mapReduce(
                SubmitOptions.ofJob("word-count"), files.pieces(PIECE_BYTES), WordCount::count, WordCount::sum);
        counts.get().forEach((word, count) -> System.out.println(word + "\t" + count));
    }

    /** How often each word occurs; a word is a run of the letters A to Z, in lower case. */
    static SortedMap<String, Long> count(String piece) {
        SortedMap<String, Long> counts = new TreeMap<>();
        WORD.matcher(piece.toLowerCase(Locale.ROOT))
                .results()
                .forEach(word -> counts.merge(word.group(), 1L, Long::sum));
        return counts;
    }

    static SortedMap<String, Long> sum(List<SortedMap<String, Long>> all) {
        SortedMap<String, Long> sum = new TreeMap<>();
        all.forEach(counts -> counts.forEach((word, count) -> sum.merge(word, count, Long::sum)));
        return sum;
    }
}
