/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SessionState;
import dev.ratchet.client.TaskContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two workers that have {gpu=1, disk=2} and two unnamed sessions each, and a client; with latches that tasks share with
 * the test, which run in this process with classes of their own.
 */
abstract class SessionFixture {

    static final SessionOptions GPU = SessionOptions.ofSlot("gpu");
    static final SessionOptions OPTIONS = SessionOptions.defaults();
    static final Duration SHORT = Duration.ofMillis(200);
    static final Duration LONG = Duration.ofMinutes(1);
    /** Whoever has a session looks once a second whether its owner is over. */
    static final Duration SOON = Duration.ofSeconds(5);
    /** Twelve seconds without a beat make a worker dead. */
    static final Duration AFTER_A_LEASE = Duration.ofSeconds(20);
    /** Longer than what a test waits for before it lets its tasks go on. */
    private static final long PASS_SECONDS = 180;

    private static final List<String> LATCHES = List.of("entered", "leave", "left");

    TestCluster cluster;
    Ratchet ratchet;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        LATCHES.forEach(name -> System.getProperties().put(key(name), new CountDownLatch(1)));
        cluster = new TestCluster(directory);
        cluster.start(0, 2);
        cluster.start(1, 2);
        ratchet = cluster.connect();
    }

    @AfterEach
    void stop() throws Exception {
        LATCHES.forEach(name -> latch(name).countDown());
        cluster.close();
        LATCHES.forEach(name -> System.getProperties().remove(key(name)));
    }

    /** What tasks share with the test: they run in this process, with classes of their own. */
    static CountDownLatch latch(String name) {
        return (CountDownLatch) System.getProperties().get(key(name));
    }

    private static String key(String name) {
        return "test.latch." + name;
    }

    static void pass(String name) throws InterruptedException {
        if (!latch(name).await(PASS_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Nobody has opened the latch '" + name + "'");
        }
    }

    static String enter() {
        latch("entered").countDown();
        return "entered";
    }

    static String seat() {
        return TaskContext.current().seat();
    }

    long waitingNow() {
        return ratchet.sessions()
                .list()
                .filter(session -> session.state() == SessionState.WAITING)
                .count();
    }
}
