/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** The worker, as a process that it has started sees it: brings attempts, and to each of them what is for it. */
final class WorkerLink {

    private static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("ratchet-worker-link-", 0).factory();

    private final ProcessLink link;
    private final Map<Long, GivenAttempt> open = new ConcurrentHashMap<>();
    /** At most one: the worker gives no second attempt that is not hosted. */
    private final BlockingQueue<GivenAttempt> attempts = new LinkedBlockingQueue<>();

    /**
     * @param hosted starts an attempt beside others
     * @param ended is called when the worker is gone
     */
    WorkerLink(String socket, Consumer<GivenAttempt> hosted, Runnable ended) throws IOException {
        link = new ProcessLink(SocketChannel.open(UnixDomainSocketAddress.of(socket)), THREADS);
        THREADS.newThread(() -> read(hosted, ended)).start();
    }

    private void read(Consumer<GivenAttempt> hosted, Runnable ended) {
        try {
            for (ToProcess message = link.receive(ToProcess.parser());
                    message != null;
                    message = link.receive(ToProcess.parser())) {
                if (message.hasAttempt()) {
                    begin(new GivenAttempt(this, message.getAttemptNumber(), message.getAttempt()), hosted);
                } else {
                    deliver(message);
                }
            }
        } catch (IOException gone) {
            System.err.println("The worker of this process is gone: " + gone);
        }
        ended.run();
    }

    private void begin(GivenAttempt attempt, Consumer<GivenAttempt> hosted) {
        open.put(attempt.number(), attempt);
        if (attempt.content().getHosted()) {
            hosted.accept(attempt);
        } else {
            attempts.add(attempt);
        }
    }

    private void deliver(ToProcess message) {
        GivenAttempt attempt = open.get(message.getAttemptNumber());
        if (attempt != null && message.hasInterrupt()) {
            attempt.interrupt();
        } else if (attempt != null) {
            attempt.answered(message);
        }
    }

    /** The next attempt for the caller's own thread. */
    GivenAttempt next() throws InterruptedException {
        return attempts.take();
    }

    /** Those that have not ended. */
    List<GivenAttempt> attempts() {
        return List.copyOf(open.values());
    }

    void send(long attempt, FromProcess message) {
        link.send(message.toBuilder().setAttemptNumber(attempt).build());
    }

    /** Sends the last message of an attempt. */
    void end(long attempt, FromProcess outcome) {
        open.remove(attempt);
        send(attempt, outcome);
    }
}
