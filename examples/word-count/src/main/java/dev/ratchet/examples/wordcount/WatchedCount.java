/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.examples.wordcount;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.JobSummary;
import dev.ratchet.client.Program;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.UUID;

/**
 * {@link WordCount} for the demonstration: with a progress that can be watched and paused, and a report of what it has
 * cost.
 */
public final class WatchedCount implements Program {

    private static final int IN_FLIGHT_MAX = 64;

    private final PrintStream out = System.out;

    /** For {@code ratchet submit --class}. */
    public WatchedCount() {}

    @Override
    public void run(Ratchet ratchet, List<String> words) throws Exception {
        Arguments arguments = Arguments.parse(words);
        FolderContent files = FolderContent.in(arguments.folder());
        SubmitOptions job =
                SubmitOptions.ofJob("word-count-" + UUID.randomUUID().toString().substring(0, 8));
        out.printf("counting %,d bytes in %,d files as job %s%n", files.bytes(), files.count(), job.job());
        long startedNanos = System.nanoTime();
        SortedMap<String, Long> counts = count(ratchet, files, arguments, job);
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        if (arguments.output().isPresent()) {
            write(counts, arguments.output().get());
        }
        report(counts, arguments, ratchet.summary(job.job()), seconds);
    }

    private SortedMap<String, Long> count(Ratchet ratchet, FolderContent files, Arguments arguments, SubmitOptions job)
            throws InterruptedException, IOException {
        ProgressReport progress = new ProgressReport(files.bytes(), arguments.pausesPercent(), out);
        long millis = arguments.pieceMillis();
        Iterator<String> pieces = files.pieces(arguments.pieceBytes()).iterator();
        List<DurableFuture<SortedMap<String, Long>>> counted = new ArrayList<>();
        while (pieces.hasNext()) {
            progress.pauseIfDue();
            ratchet.map(
                            job.withName("count"),
                            progress.untilPause(pieces),
                            IN_FLIGHT_MAX,
                            piece -> counted(piece, millis))
                    .peek(done -> progress.done())
                    .forEachOrdered(counted::add);
        }
        return ratchet.reduceTree(job.withName("sum"), counted.stream(), WordCount::sum)
                .get();
    }

    private static SortedMap<String, Long> counted(String piece, long millis) throws InterruptedException {
        Thread.sleep(millis);
        return WordCount.count(piece);
    }

    private static void write(SortedMap<String, Long> counts, Path file) throws IOException {
        Files.write(
                file,
                counts.entrySet().stream()
                        .map(count -> count.getKey() + "\t" + count.getValue())
                        .toList(),
                StandardCharsets.US_ASCII);
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
}
