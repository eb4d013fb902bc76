/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.load;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The process of a client: submits jobs until it is told to stop by a line, or its standard input ends. */
final class LoadClient {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private LoadClient() {}

    /** Arguments: connection file, name of the job, seed, futures under way at most. */
    public static void main(String[] arguments) throws InterruptedException {
        AtomicBoolean stopped = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> listen(stopped));
        RandomGenerator random = RandomGeneratorFactory.of("Random").create(Long.parseLong(arguments[2]));
        PrintStream ledger = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        ConnectionOptions options =
                ConnectionOptions.ofFile(Path.of(arguments[0])).withConnectTimeout(TIMEOUT);
        try (Ratchet ratchet = Ratchet.connect(options)) {
            LoadSession session =
                    new LoadSession(ratchet, arguments[1], random, Integer.parseInt(arguments[3]), ledger);
            while (!stopped.get()) {
                Job.any(random).submit(session);
            }
        }
    }

    private static void listen(AtomicBoolean stopped) {
        try {
            if (System.in.read() >= 0) {
                stopped.set(true);
            }
            while (System.in.read() >= 0) {
                // One line is enough.
            }
        } catch (IOException broken) {
            // As an end.
        }
        Runtime.getRuntime().halt(1);
    }
}
