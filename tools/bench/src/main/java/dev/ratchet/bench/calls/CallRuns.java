/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.calls;

import com.sun.management.OperatingSystemMXBean;
import dev.ratchet.bench.ClosedLoop;
import dev.ratchet.bench.Measurement;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is measured of every system: one caller that waits for each call, a thousand that do so at once, many calls made
 * together, and chains. Results go line by line to whoever compares.
 */
public final class CallRuns {

    /** Before the line of a result, because a system may print too. */
    private static final String RESULT = "result";

    private static final int CALLERS = 1_000;
    /** So many times as long as a line. */
    private static final int WARM_UP = 3;

    private static final int FEW = 8;

    private static final int CHAIN = 100;

    private final RemoteCalls calls;
    private final long millis;
    private final Consumer<Measurement> results;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Executor executor = ForkJoinPool.commonPool();

    /**
     * @param millis how long each line takes, but for those with a number of calls
     * @param results where lines go
     */
    public CallRuns(RemoteCalls calls, long millis, Consumer<Measurement> results) {
        this.calls = calls;
        this.millis = millis;
        this.results = results;
    }

    /** The main class of a system that is compared. Arguments: milliseconds of each line, how many calls together. */
    public static void main(RemoteCalls calls, String... arguments) throws Exception {
        try (calls) {
            new CallRuns(calls, Long.parseLong(arguments[0]), line -> System.out.println(RESULT + "\t" + line.toText()))
                    .all(Integer.parseInt(arguments[1]));
        }
        System.exit(0);
    }

    /** Measures everything, with so many calls together; the first seconds are for the compiler. */
    public void all(int together) throws InterruptedException {
        int callers = Math.min(CALLERS, calls.underWayMax());
        // What serves one caller is compiled after some 20,000 messages, of which a few callers make more in the time.
        loop(Math.min(FEW, callers), this::next).run(2 * WARM_UP * millis, 1);
        loop(callers, this::next).run(WARM_UP * millis, 1);
        add(
                "one after the other",
                1,
                1,
                loop(1, () -> ClosedLoop.waited(this::waited)).run(millis / 4, millis));
        add("many callers", 1, callers, loop(callers, this::next).run(millis / 4, millis));
        chains();
        together(Math.max(1, together / 10));
        results.accept(together(together));
    }

    private void chains() throws InterruptedException {
        add("chain", CHAIN, 1, loop(1, () -> calls.chain(CHAIN)).run(millis / 4, millis));
    }

    /** So many calls made together, in portions where that is too many for the system. */
    private Measurement together(int count) {
        long cpuBefore = cpuNanos().getAsLong();
        long began = System.nanoTime();
        for (int left = count; left > 0; left -= Math.min(left, calls.underWayMax())) {
            calls.callAll(Math.min(left, calls.underWayMax())).join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpuMicros = (cpuNanos().getAsLong() - cpuBefore) / 1e3;
        return new Measurement(calls.title(), "together", count, 1, count / seconds, 0, 0, cpuMicros / count, 0);
    }

    private CompletableFuture<?> next() {
        int number = numbers.getAndIncrement();
        return calls.call(number).thenAccept(result -> requireNumber(number, result));
    }

    private int waited() throws Exception {
        int number = numbers.getAndIncrement();
        int result = calls.callAndWait(number);
        requireNumber(number, result);
        return result;
    }

    private static void requireNumber(int number, int result) {
        if (result != number) {
            throw new IllegalStateException("The call of " + number + " has returned " + result);
        }
    }

    private ClosedLoop loop(int callers, Supplier<CompletableFuture<?>> operation) {
        return new ClosedLoop(callers, executor, cpuNanos(), operation);
    }

    private LongSupplier cpuNanos() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return () -> system.getProcessCpuTime() + calls.otherCpuNanos();
    }

    private void add(String what, long size, int callers, ClosedLoop.Result result) {
        results.accept(Measurement.of(calls.title(), what, size, callers, result));
    }
}
