/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/**
 * The process of a program that submits until it is killed, half of it together and half one by one, some of it slow,
 * and that prints a line for each future once that is acknowledged.
 */
final class KilledClient {

    static final String ACKNOWLEDGED = "acknowledged";

    /** Futures without an acknowledgement at most. */
    private static final int WINDOW = 10_000;

    private static final int TOGETHER = 500;

    private KilledClient() {}

    /** Argument: connection file. */
    public static void main(String[] arguments) throws InterruptedException {
        Thread.ofPlatform().daemon().start(KilledClient::endWithInput);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        Semaphore window = new Semaphore(WINDOW);
        SubmitOptions options = SubmitOptions.ofJob("killed-client");
        try (Ratchet ratchet = Ratchet.connect(ConnectionOptions.ofFile(Path.of(arguments[0])))) {
            for (int first = 0; true; first += 2 * TOGETHER) {
                window.acquire(2 * TOGETHER);
                List<Integer> numbers =
                        IntStream.range(first, first + TOGETHER).boxed().toList();
                List<DurableFuture<Integer>> mapped = ratchet.map(options, numbers, BenchTasks.same());
                for (int i = 0; i < TOGETHER; i++) {
                    tell(mapped.get(i), first + i, window, out);
                }
                for (int number = first + TOGETHER; number < first + 2 * TOGETHER; number++) {
                    boolean slow = number % 100 == 0;
                    tell(
                            ratchet.submit(options, slow ? BenchTasks.slowly(number) : BenchTasks.returning(number)),
                            number,
                            window,
                            out);
                }
            }
        }
    }

    private static void tell(DurableFuture<?> future, int number, Semaphore window, PrintStream out) {
        future.submitted().thenRun(() -> {
            window.release();
            synchronized (out) {
                out.print(ACKNOWLEDGED + " " + future.id() + " " + number + " ;\n");
                out.flush();
            }
        });
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        } catch (IOException broken) {
            // As an end.
        }
        Runtime.getRuntime().halt(1);
    }
}
