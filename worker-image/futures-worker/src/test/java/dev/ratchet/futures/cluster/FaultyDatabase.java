/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.futures.worker.ProxiedDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A database whose transactions meet, at random, a conflict or an unknown outcome of their commit, once before and once
 * after it took effect: the handler is run again, as the retry loop does for the codes 1020 and 1021.
 */
public final class FaultyDatabase {

    private final Database real;
    private final RandomGenerator random;
    private final int faultsPercent;
    public final AtomicInteger conflicts = new AtomicInteger();
    public final AtomicInteger unknownOutcomes = new AtomicInteger();

    public FaultyDatabase(Database real, RandomGenerator random, int faultsPercent) {
        this.real = real;
        this.random = random;
        this.faultsPercent = faultsPercent;
    }

    public Database database() {
        return ProxiedDatabase.running(real, this::run);
    }

    private CompletableFuture<Object> run(Function<Transaction, CompletableFuture<Object>> handler) {
        int roll;
        synchronized (random) {
            roll = random.nextInt(200);
        }
        if (roll < faultsPercent) {
            conflicts.incrementAndGet();
            Transaction lost = real.createTransaction();
            return handler.apply(lost)
                    .handle((result, failure) -> {
                        lost.close();
                        return null;
                    })
                    .thenCompose(unused -> run(handler));
        }
        if (roll < 2 * faultsPercent) {
            unknownOutcomes.incrementAndGet();
            return real.runAsync(handler).thenCompose(unused -> run(handler));
        }
        return real.runAsync(handler);
    }
}
