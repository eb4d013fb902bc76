/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.TaskContext;
import dev.ratchet.client.TaskFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Isolated tasks that do what ends their process, or their attempt. Each notes its process and id in a file first. */
final class Deeds {

    static final SubmitOptions ISOLATED =
            SubmitOptions.ofJob("ending").withIsolation().withMaxRetries(0);

    private Deeds() {}

    /** What a task does, and by what it fails. */
    enum Deed implements SerializableCallable<Integer> {
        EXIT("dev.ratchet.client.AttemptProcessLost", "exit code 7") {
            @Override
            public Integer call() {
                System.exit(7);
                return 0;
            }
        },
        EXIT_AS_IF_OUT_OF_MEMORY("dev.ratchet.client.AttemptProcessLost", "exit code 3") {
            @Override
            public Integer call() {
                System.exit(3);
                return 0;
            }
        },
        EXIT_BY_ANOTHER_THREAD("dev.ratchet.client.AttemptProcessLost", "exit code 8") {
            @Override
            public Integer call() throws Exception {
                Thread other = new Thread(() -> System.exit(8));
                other.start();
                while (true) {
                    Thread.onSpinWait();
                }
            }
        },
        HALT("dev.ratchet.client.AttemptProcessLost", "exit code 9") {
            @Override
            public Integer call() {
                Runtime.getRuntime().halt(9);
                return 0;
            }
        },
        EXHAUST_HEAP("java.lang.OutOfMemoryError", "ran out of memory") {
            @Override
            public Integer call() {
                byte[][] all = new byte[10_000][];
                for (int i = 0; i < all.length; i++) {
                    all[i] = new byte[1 << 20];
                }
                return all.length;
            }
        },
        OVERFLOW_STACK("java.lang.StackOverflowError", "") {
            @Override
            public Integer call() {
                return deeper(0);
            }
        },
        SLEEP("java.util.concurrent.TimeoutException", "took longer than 3000 ms") {
            @Override
            public Integer call() throws Exception {
                new CountDownLatch(1).await();
                return 0;
            }
        },
        IGNORE_INTERRUPTS("java.util.concurrent.TimeoutException", "took longer than 3000 ms") {
            @Override
            public Integer call() {
                while (true) {
                    Thread.onSpinWait();
                }
            }
        };

        final String type;
        final String message;

        Deed(String type, String message) {
            this.type = type;
            this.message = message;
        }

        private static int deeper(int depth) {
            return depth < 0 ? 0 : deeper(depth + 1) + 1;
        }

        SubmitOptions options() {
            return type.endsWith("TimeoutException") ? ISOLATED.withAttemptTimeout(Duration.ofSeconds(3)) : ISOLATED;
        }
    }

    /** Does the deed where nobody is above; notes its process and id before. */
    record Doing(Deed deed, String log, byte[] ballast) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            note(log);
            return deed.call() + ballast.length;
        }
    }

    /** Waits for the next lower one, the lowest of which does the deed; returns how many saw the failure. */
    record Waiting(int height, Deed deed, String log) implements SerializableCallable<Integer> {
        @Override
        public Integer call() throws Exception {
            note(log);
            if (height > 1) {
                return 1
                        + Ratchet.current()
                                .submit(ISOLATED, new Waiting(height - 1, deed, log))
                                .get();
            }
            try {
                return Ratchet.current()
                        .submit(deed.options(), new Doing(deed, log, new byte[0]))
                        .get();
            } catch (TaskFailedException failed) {
                return 1;
            }
        }
    }

    private static void note(String log) throws IOException {
        String line =
                ProcessHandle.current().pid() + " " + TaskContext.current().id() + "\n";
        Files.writeString(Path.of(log), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
