/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskFailedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What isolated tasks print is printed by their worker. */
@OnCluster(threads = 1)
class IsolatedOutputTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int LINES = 100;

    private final Ratchet ratchet;

    IsolatedOutputTest(Ratchet ratchet) {
        this.ratchet = ratchet;
    }

    /** What is printed, where whoever reads what a process prints is as slow as the test wants. */
    private static final class SlowOutput extends PrintStream {
        private final CountDownLatch open;

        SlowOutput(ByteArrayOutputStream printed, CountDownLatch open) {
            super(printed, true, StandardCharsets.UTF_8);
            this.open = open;
        }

        @Override
        public void println(String line) {
            if (Thread.currentThread().getName().startsWith("ratchet-process-")) {
                try {
                    open.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
            super.println(line);
        }
    }

    @Test
    void whatATaskHasPrintedBeforeItsProcessEndsIsNotLost() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        CountDownLatch open = new CountDownLatch(1);
        PrintStream before = System.out;
        System.setOut(new SlowOutput(printed, open));
        try {
            SubmitOptions once = SubmitOptions.ofJob("output").withIsolation().withMaxRetries(0);
            DurableFuture<Integer> printing = ratchet.submit(once, () -> {
                for (int line = 1; line <= LINES; line++) {
                    System.out.println("line " + line + " of " + LINES);
                }
                Runtime.getRuntime().halt(1);
                return 0;
            });
            assertThatThrownBy(() -> printing.get(LIMIT)).isInstanceOf(TaskFailedException.class);

            open.countDown();

            Awaitility.await().atMost(LIMIT).until(() -> printed.toString(StandardCharsets.UTF_8)
                    .contains("line " + LINES + " of " + LINES));
        } finally {
            open.countDown();
            System.setOut(before);
        }
    }
}
