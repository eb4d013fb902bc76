/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.Awaited;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;

/**
 * Counts the words of a folder of text on a cluster: one future for each piece of the text, and a tree of futures that
 * put the counts of neighbouring pieces together. The text travels with the futures, so workers need no access to the
 * folder.
 *
 * <p>At most {@link #IN_FLIGHT_MAX} pieces are on their way at a time, so a folder of any size needs little memory
 * here.
 */
public final class WordCount implements Program {

    private static final int IN_FLIGHT_MAX = 64;
    /** Pieces that travel in one submit; below the window, so that workers always have some. */
    private static final int BATCH = 16;

    private static final int FAN_IN = 16;
    private static final Duration PROGRESS = Duration.ofMillis(250);

    private final PrintStream out = System.out;

    /** For {@code ratchet submit --class}. */
    public WordCount() {}

    @Override
    public void run(Ratchet ratchet, List<String> words) throws Exception {
        Arguments arguments = Arguments.parse(words);
        TextFiles files = TextFiles.in(arguments.folder());
        SubmitOptions job =
                SubmitOptions.ofJob("word-count-" + UUID.randomUUID().toString().substring(0, 8));
        long pieces = (files.bytes() + arguments.pieceBytes() - 1) / arguments.pieceBytes();
        out.printf(
                "counting %,d bytes in %,d files as %,d futures of job %s%n",
                files.bytes(), files.count(), pieces, job.job());
        long startedNanos = System.nanoTime();
        SortedMap<String, Long> counts = count(ratchet, files, arguments, job, pieces);
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        if (arguments.output().isPresent()) {
            write(counts, arguments.output().get());
        }
        report(counts, arguments, ratchet.summary(job.job()), seconds);
    }

    private SortedMap<String, Long> count(
            Ratchet ratchet, TextFiles files, Arguments arguments, SubmitOptions job, long total)
            throws InterruptedException, IOException {
        MergeTree tree = new MergeTree(ratchet, job.withName("merge"));
        Progress progress = new Progress(total, arguments.pausesPercent());
        Deque<DurableFuture<WordCounts>> inFlight = new ArrayDeque<>();
        Iterator<byte[]> pieces = files.pieces(arguments.pieceBytes());
        SubmitOptions options = job.withName("count");
        long millis = arguments.pieceMillis();
        while (pieces.hasNext() || !inFlight.isEmpty()) {
            while (pieces.hasNext() && inFlight.size() <= IN_FLIGHT_MAX - BATCH && progress.maySubmit()) {
                List<byte[]> batch = new ArrayList<>();
                while (pieces.hasNext() && batch.size() < BATCH) {
                    batch.add(pieces.next());
                }
                List<DurableFuture<WordCounts>> counted = ratchet.map(options, batch, piece -> counted(piece, millis));
                inFlight.addAll(counted);
                progress.submitted(counted.size());
                for (DurableFuture<WordCounts> piece : counted) {
                    tree.add(piece);
                }
            }
            if (!inFlight.isEmpty()) {
                Awaited<WordCounts> seen = ratchet.await(List.copyOf(inFlight), 1, PROGRESS);
                progress.done(seen.done().size());
                inFlight.clear();
                inFlight.addAll(seen.pending());
            }
        }
        return tree.root().get().words();
    }

    private static WordCounts counted(byte[] piece, long millis) throws InterruptedException {
        Thread.sleep(millis);
        return WordCounts.of(piece);
    }

    private static void write(SortedMap<String, Long> counts, Path file) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            for (Map.Entry<String, Long> count : counts.entrySet()) {
                writer.write(count.getKey() + "\t" + count.getValue() + "\n");
            }
        }
    }

    private void report(SortedMap<String, Long> counts, Arguments arguments, JobSummary summary, double seconds) {
        long words = counts.values().stream().mapToLong(Long::longValue).sum();
        out.printf("%,d words, %,d different ones, in %.1f s%n", words, counts.size(), seconds);
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(arguments.top())
                .forEach(count -> out.printf("  %,9d  %s%n", count.getValue(), count.getKey()));
        arguments.output().ifPresent(file -> out.printf("all counts are in %s%n", file));
        out.printf("%,d futures of job %s ran on:%n", summary.total(), summary.job());
        summary.realizedBySeatSorted().forEach((seat, count) -> out.printf("  %,9d  %s%n", count, seat));
        out.printf(
                "%,d attempts were lost with a worker, or failed, and were made again; "
                        + "%,d results were lost and computed again%n",
                summary.retried(), summary.recomputed());
        out.flush();
    }

    /** What is done, told whenever another twentieth is; stops at the pauses that were asked for. */
    private final class Progress {
        private static final int STEPS = 20;

        private final long total;
        private final Deque<Integer> pausesPercent;
        private final BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        private long submitted;
        private long done;
        private long told;

        Progress(long total, List<Integer> pausesPercent) {
            this.total = Math.max(1, total);
            this.pausesPercent = new ArrayDeque<>(pausesPercent);
        }

        void submitted(int count) {
            submitted += count;
        }

        void done(int count) {
            done += count;
            long step = Math.min(done, total) * STEPS / total;
            if (step > told) {
                told = step;
                out.printf("%3d %%  %,d of %,d pieces counted%n", step * 100 / STEPS, done, total);
                out.flush();
            }
        }

        /** False while a pause is due and earlier pieces are on their way; then waits for a line of input. */
        boolean maySubmit() throws IOException {
            while (!pausesPercent.isEmpty() && submitted * 100 >= pausesPercent.peek() * total) {
                if (submitted > done) {
                    return false;
                }
                out.printf("paused at %d %%%n", pausesPercent.remove());
                out.flush();
                if (input.readLine() == null) {
                    pausesPercent.clear();
                }
            }
            return true;
        }
    }

    /** A tree of merges over counts in the order of their pieces, grown while they are submitted. */
    private static final class MergeTree {
        private final Ratchet ratchet;
        private final SubmitOptions options;
        private final List<List<DurableFuture<WordCounts>>> levels = new ArrayList<>();

        MergeTree(Ratchet ratchet, SubmitOptions options) {
            this.ratchet = ratchet;
            this.options = options;
        }

        void add(DurableFuture<WordCounts> next) {
            DurableFuture<WordCounts> carried = next;
            for (int level = 0; ; level++) {
                if (level == levels.size()) {
                    levels.add(new ArrayList<>());
                }
                List<DurableFuture<WordCounts>> waiting = levels.get(level);
                waiting.add(carried);
                if (waiting.size() < FAN_IN) {
                    return;
                }
                carried = merge(waiting);
                waiting.clear();
            }
        }

        /** The counts of everything added: what waits on higher levels comes before what waits below. */
        DurableFuture<WordCounts> root() {
            List<DurableFuture<WordCounts>> rest = new ArrayList<>();
            for (List<DurableFuture<WordCounts>> level : levels) {
                List<DurableFuture<WordCounts>> all = new ArrayList<>(level);
                all.addAll(rest);
                rest = all.size() > 1 ? List.of(merge(all)) : all;
            }
            return rest.isEmpty() ? ratchet.submit(options, WordCounts::new) : rest.get(0);
        }

        private DurableFuture<WordCounts> merge(List<DurableFuture<WordCounts>> pieces) {
            return ratchet.reduce(options, List.copyOf(pieces), WordCounts::concatenate);
        }
    }
}
