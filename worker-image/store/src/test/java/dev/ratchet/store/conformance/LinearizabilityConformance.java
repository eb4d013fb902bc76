/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.conformance.History.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Concurrent transactions over a few registers have happened one after the other, each between its call and its answer.
 * No retries: a transaction whose outcome is lost counts as one that may have happened.
 */
public abstract class LinearizabilityConformance {

    private static final int HISTORIES = 25;
    private static final int CLIENTS = 5;
    private static final int STEPS = 6;
    private static final int REGISTERS = 3;

    /** A database, with faults or without, that nobody else uses; the test closes it. */
    protected abstract Database open(boolean faults);

    @Test
    void everyHistoryCanHaveHappenedStepByStep() throws Exception {
        run(open(false));
    }

    @Test
    void everyHistoryCanHaveHappenedStepByStepAlthoughThingsGoWrong() throws Exception {
        run(open(true));
    }

    private static void run(Database database) throws Exception {
        try (database) {
            int committed = 0;
            for (int history = 0; history < HISTORIES; history++) {
                List<Step> steps = record(database, history);
                committed += steps.size();
                assertThat(History.isStrictlySerializable(steps))
                        .as("history of seed %d: %s", history, steps)
                        .isTrue();
            }
            assertThat(committed).isGreaterThan(HISTORIES * CLIENTS);
        }
    }

    private static List<Step> record(Database database, long seed) throws Exception {
        List<Step> steps = Collections.synchronizedList(new ArrayList<>());
        AtomicLong clock = new AtomicLong();
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Random random = new Random(seed * 100 + client);
            long values = client * 1000L;
            CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
            for (int i = 1; i <= STEPS; i++) {
                long value = values + i;
                chain = chain.thenComposeAsync(nothing -> step(database, seed, random, value, clock, steps));
            }
            clients.add(chain);
        }
        CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        return List.copyOf(steps);
    }

    private static byte[] register(long history, int number) {
        return Tuple.from("register", history, number).pack();
    }

    private static CompletableFuture<Void> step(
            Database database, long history, Random random, long value, AtomicLong clock, List<Step> steps) {
        Map<Integer, Long> reads = new TreeMap<>();
        Map<Integer, Long> writes = new TreeMap<>();
        Transaction tr = database.createTransaction();
        long start = clock.incrementAndGet();
        CompletableFuture<Void> work = CompletableFuture.completedFuture(null);
        boolean asRange = random.nextInt(4) == 0;
        if (asRange) {
            work = tr.getRange(register(history, 0), register(history, REGISTERS))
                    .asList()
                    .thenAccept(rows -> {
                        for (int i = 0; i < REGISTERS; i++) {
                            reads.put(i, 0L);
                        }
                        rows.forEach(row -> reads.put(
                                (int) Tuple.fromBytes(row.getKey()).getLong(2),
                                Tuple.fromBytes(row.getValue()).getLong(0)));
                    });
        }
        for (int i = 0; i < REGISTERS; i++) {
            int number = i;
            if (!asRange && random.nextInt(2) == 0) {
                work = work.thenCompose(nothing -> tr.get(register(history, number)))
                        .thenAccept(found -> reads.put(
                                number,
                                found == null ? 0 : Tuple.fromBytes(found).getLong(0)));
            }
            if (random.nextInt(3) == 0) {
                writes.put(number, value);
            }
        }
        return work.thenCompose(nothing -> {
                    writes.forEach((number, written) -> tr.set(
                            register(history, number), Tuple.from(written).pack()));
                    return tr.commit();
                })
                .handle((nothing, error) -> {
                    Throwable cause = error == null || error.getCause() == null ? error : error.getCause();
                    boolean unknown = cause instanceof FDBException known && known.getCode() == 1021;
                    if (error == null || unknown) {
                        long end = unknown ? History.UNKNOWN : clock.incrementAndGet();
                        steps.add(new Step(start, end, reads, writes));
                    }
                    tr.close();
                    return null;
                });
    }
}
