/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.dataflow.v1.CircuitRecord;
import dev.ratchet.protocol.dataflow.v1.DivisionRecord;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.ProgressRecord;
import dev.ratchet.protocol.dataflow.v1.RunRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Steps are as large as two workers of unlike speed can take in time, in virtual time, whatever their rows are like.
 */
class DividerTest {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NEVER = 1L << 40;
    private static final StepLimits LIMITS = new StepLimits(4, 8L << 20, 200, NEVER, NEVER, 10_000);
    private static final int ROUNDS = 30;
    private static final int WARM_UP_ROUNDS = 12;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final SystemEnvironment system = new SystemEnvironment();
    private final Database database = StoreUnderTest.open(system);
    private final DataflowStore store = new DataflowStore(database, new Keyspace("test/divider"));
    private final Clock clock = new Clock();
    private final Divider divider = new Divider(store, clock, LIMITS, 1);
    private final List<LogRecord> log = new ArrayList<>();
    private final Map<String, ProgressRecord> progress = new TreeMap<>();
    private int divided;
    private long lastStep;
    private DivisionRecord last = DivisionRecord.getDefaultInstance();

    // The reference: what a step may have.
    private long linesMax = 20_000;
    private long bytesMax = 1 << 20;

    @AfterEach
    void close() {
        database.close();
        system.close();
    }

    /** What a request has, and what it costs the fast worker. */
    private record Kind(long lines, long bytes, long nanosPerLine, long nanosPerByte) {
        long nanos(long ofLines, long ofBytes) {
            return ofLines * nanosPerLine + ofBytes * nanosPerByte;
        }
    }

    @Test
    void stepsOfFewWideRowsTakeAsLongAsStepsOfManyNarrowOnes() {
        Kind narrow = new Kind(500, 10_000, 3_000, 0);
        Kind wide = new Kind(2, 64_000, 0, 60);
        for (Kind kind : List.of(narrow, wide, narrow, new Kind(1, 200_000, 0, 400), wide)) {
            for (int round = 0; round < ROUNDS; round++) {
                long longest = round(kind, false);
                if (round >= WARM_UP_ROUNDS) {
                    assertThat(longest / NANOS_PER_MILLI)
                            .as("seed %d, %s: milliseconds of a step", seed, kind)
                            .isBetween(LIMITS.stepMillis() * 3 / 5, LIMITS.stepMillis());
                }
            }
        }
    }

    @Test
    void stepsAreThoseOfTheReferenceWhateverComes() {
        for (int round = 0; round < 3 * ROUNDS; round++) {
            long lines = 1 + random.nextLong(2_000);
            round(
                    new Kind(lines, lines * (1 + random.nextLong(200)), random.nextInt(20_000), random.nextInt(50)),
                    true);
        }
    }

    /** Divides, takes the steps, and returns how long the slow worker took for the longest that was full. */
    private long round(Kind kind, boolean varies) {
        while (log.size() - divided < 500) {
            append(kind, varies);
        }
        long before = lastStep;
        ClusterRecords records = records();
        follow();
        database.run(transaction -> divider.divide(transaction, records));
        Map<Long, DivisionRecord> steps = database.read(transaction ->
                store.divisionsAfter(transaction, before, Integer.MAX_VALUE).join());
        List<List<LogRecord>> expected = expected();
        assertThat(steps).as("seed %d, step %d", seed, before).hasSameSizeAs(expected);
        long longest = 0;
        for (List<LogRecord> requests : expected) {
            lastStep++;
            last = steps.get(lastStep);
            divided += requests.size();
            assertThat(last.getRecords()).as("seed %d, step %d", seed, lastStep).isEqualTo(requests.size());
            long nanos = kind.nanos(last.getLines(), last.getBytes());
            clock.pass(2 * nanos);
            longest = Math.max(longest, 2 * nanos);
            progress.put("w-0", told(2 * nanos));
            progress.put("w-1", told(nanos));
        }
        return longest;
    }

    private ProgressRecord told(long nanos) {
        return ProgressRecord.newBuilder()
                .setRun(1)
                .setStep(lastStep)
                .setStepMillis(nanos / NANOS_PER_MILLI)
                .setStepLines(last.getLines())
                .setStepBytes(last.getBytes())
                .build();
    }

    private void append(Kind kind, boolean varies) {
        List<LogRecord> heads = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            long lines = varies ? 1 + random.nextLong(kind.lines()) : kind.lines();
            long bytes = kind.bytes() * lines / kind.lines();
            heads.add(LogRecord.newBuilder().setLines(lines).setBytes(bytes).build());
        }
        database.run(transaction -> {
            for (int order = 0; order < heads.size(); order++) {
                store.log().append(transaction, new Tuple(), order, new Tuple(), heads.get(order));
            }
            return null;
        });
        log.addAll(heads);
    }

    private ClusterRecords records() {
        return new ClusterRecords(
                CircuitRecord.newBuilder()
                        .addAllSeats(List.of("w-0", "w-1"))
                        .setCheckpointIntervalMillis(NEVER)
                        .build(),
                RunRecord.newBuilder().setNumber(1).build(),
                Map.of(),
                Map.copyOf(progress),
                new TreeMap<>(),
                Map.of(),
                Long.MAX_VALUE,
                lastStep,
                last,
                0);
    }

    /** A limit is what the slower worker had time for in the last step, but for small ones, and at most doubles. */
    private void follow() {
        ProgressRecord slow = progress.get("w-0");
        if (slow != null && slow.getStepLines() >= 1_000) {
            long fit = slow.getStepLines() * LIMITS.stepMillis() / Math.max(1, slow.getStepMillis());
            linesMax = Math.max(1_000, Math.min(1_000_000, Math.min(fit, 2 * linesMax)));
        }
        if (slow != null && slow.getStepBytes() >= 65_536) {
            long fit = slow.getStepBytes() * LIMITS.stepMillis() / Math.max(1, slow.getStepMillis());
            bytesMax = Math.max(65_536, Math.min(LIMITS.stepBytes(), Math.min(fit, 2 * bytesMax)));
        }
    }

    /** The requests of the next steps. */
    private List<List<LogRecord>> expected() {
        List<List<LogRecord>> steps = new ArrayList<>();
        int next = divided;
        while (steps.size() < LIMITS.ahead() && next < log.size()) {
            List<LogRecord> step = new ArrayList<>();
            long lines = 0;
            long bytes = 0;
            while (next < log.size()) {
                lines += log.get(next).getLines();
                bytes += log.get(next).getBytes();
                if (!step.isEmpty() && (lines > linesMax || bytes > bytesMax)) {
                    break;
                }
                step.add(log.get(next));
                next++;
            }
            steps.add(step);
        }
        return steps;
    }
}
