/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.dataset.Dataset;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Lists the words of a folder of text in their order, with the number of places at which each occurs: a dataset of
 * lines, grouped by word and sorted. Then finds the longest word by tasks that halve the list among tasks of their own.
 */
public final class WordIndex implements Program {

    private static final int PIECE_BYTES = 16 << 10;
    private static final int PARTITIONS = 4;
    private static final int SHOWN = 10;
    private static final Pattern NO_WORD = Pattern.compile("[^a-z]+");

    private final PrintStream out = System.out;

    /** For {@code ratchet submit --class}. */
    public WordIndex() {}

    /** A word with the number of its places. */
    record Entry(String word, int places) implements Serializable {}

    /** The longest of some words, by halves. */
    record Longest(List<String> words) implements SerializableCallable<String> {

        private static final int ALONE = 500;

        @Override
        public String call() throws Exception {
            if (words.size() <= ALONE) {
                return words.stream().reduce("", Longest::longer);
            }
            Ratchet cluster = Ratchet.current();
            int middle = words.size() / 2;
            List<DurableFuture<String>> halves = List.of(
                    cluster.submit(new Longest(new ArrayList<>(words.subList(0, middle)))),
                    cluster.submit(new Longest(new ArrayList<>(words.subList(middle, words.size())))));
            return cluster.awaitAll(halves).stream().reduce("", Longest::longer);
        }

        private static String longer(String one, String other) {
            return other.length() > one.length() ? other : one;
        }
    }

    @Override
    public void run(Ratchet ratchet, List<String> arguments) throws Exception {
        if (arguments.size() != 1) {
            throw new InvalidInputException("Name one folder with text files.");
        }
        SubmitOptions job =
                SubmitOptions.ofJob("word-index-" + UUID.randomUUID().toString().substring(0, 8));
        List<String> pieces =
                FolderContent.in(Path.of(arguments.get(0))).pieces(PIECE_BYTES).toList();
        List<Entry> index = Dataset.of(ratchet, job, pieces, PARTITIONS)
                .flatMap(WordIndex::words)
                .groupBy(word -> word)
                .map(group -> new Entry(group.key(), group.elements().size()))
                .sortBy(Entry::word)
                .collect();
        List<String> words = new ArrayList<>();
        index.forEach(entry -> words.add(entry.word()));
        DurableFuture<String> longest = ratchet.submit(job.withName("longest"), new Longest(words));

        out.printf("%,d different words; the first are:%n", index.size());
        index.stream().limit(SHOWN).forEach(entry -> out.printf("  %,9d  %s%n", entry.places(), entry.word()));
        out.printf("the longest is %s, found by %s of job %s%n", longest.get(), longest.id(), job.job());
        out.flush();
    }

    private static List<String> words(String piece) {
        return NO_WORD.splitAsStream(piece.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
