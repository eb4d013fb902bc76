/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The process of one engine: runs each query over the first changes for {@value #WARM_SECONDS} seconds, for the
 * compiler, and once over all of them, and prints a line of each. The process that started it reads those.
 */
public final class NexmarkRuns {

    /** Before each line, because an engine may print too. */
    public static final String RESULT = "result";

    /** By time, as the compiler works by it: by number of changes a fast engine would be the least compiled one. */
    private static final int WARM_SECONDS = 4;

    private NexmarkRuns() {}

    /**
     * Runs the queries of the arguments: file of changes, how many they are, whether some take back, how many are for
     * the compiler, threads, names of queries.
     */
    public static void main(NexmarkEngine engine, String... arguments) throws Exception {
        try (engine) {
            measure(engine, arguments);
        }
    }

    private static void measure(NexmarkEngine engine, String... arguments) throws Exception {
        byte[] changes = ChangeFile.read(Path.of(arguments[0]));
        int count = Integer.parseInt(arguments[1]);
        boolean retractions = Boolean.parseBoolean(arguments[2]);
        byte[] first = firstOf(changes, Integer.parseInt(arguments[3]));
        int threads = Integer.parseInt(arguments[4]);
        // Engines that log do so to standard output; results have it for themselves.
        PrintStream out = System.out;
        System.setOut(System.err);
        for (String name : Arrays.asList(arguments).subList(5, arguments.length)) {
            NexmarkQuery query = NexmarkQuery.named(name);
            String line;
            try {
                long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_SECONDS);
                while (first.length > 0 && System.nanoTime() < warm) {
                    engine.run(new NexmarkJob(query, first, threads, retractions));
                }
                System.gc();
                NexmarkJob job = new NexmarkJob(query, changes, threads, retractions);
                long rows = engine.run(job);
                line = String.format(Locale.ROOT, "%d\t%.4f\t%.4f\t%d\t", count, job.seconds(), job.cpuSeconds(), rows);
            } catch (NexmarkEngine.NotAnsweredException e) {
                line = "0\t0\t0\t0\t" + e.getMessage();
            }
            out.println(RESULT + "\t" + query.name() + "\t" + line);
            out.flush();
        }
    }

    private static byte[] firstOf(byte[] changes, int count) {
        NexmarkChangeReader reader = new NexmarkChangeReader(changes);
        for (int i = 0; i < count && reader.next(); i++) {
            // The reader stands behind the last one then.
        }
        return Arrays.copyOf(changes, count == 0 ? 0 : reader.end());
    }
}
