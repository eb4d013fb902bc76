/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.isolation;

import dev.ratchet.client.RatchetException;
import dev.ratchet.protocol.isolation.v1.Attempt;
import dev.ratchet.protocol.isolation.v1.FromProcess;
import dev.ratchet.protocol.isolation.v1.ToProcess;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The worker, as a process that it has started sees it. Questions are asked one at a time, by whatever thread. */
final class WorkerLink {

    private final Link link;
    /** At most one of each: the worker gives no second task, and no answer that was not asked for. */
    private final BlockingQueue<Attempt> attempts = new LinkedBlockingQueue<>();

    private final BlockingQueue<ToProcess> answers = new LinkedBlockingQueue<>();

    /** @param ended is called when the worker is gone */
    WorkerLink(String socket, Runnable ended) throws IOException {
        link = new Link(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        Thread.ofPlatform().daemon().name("ratchet-worker-link").start(() -> read(ended));
    }

    private void read(Runnable ended) {
        try {
            for (ToProcess message = link.receive(ToProcess.parser());
                    message != null;
                    message = link.receive(ToProcess.parser())) {
                if (message.hasAttempt()) {
                    attempts.add(message.getAttempt());
                } else {
                    answers.add(message);
                }
            }
        } catch (IOException gone) {
            System.err.println("The worker of this process is gone: " + gone);
        }
        ended.run();
    }

    /** The next task. */
    Attempt next() throws InterruptedException {
        return attempts.take();
    }

    /** Says how the task has ended. */
    synchronized void tell(FromProcess message) throws IOException {
        link.send(message);
    }

    /**
     * Asks something; an interrupt stays pending.
     *
     * @throws RatchetException if the worker refuses
     */
    synchronized ToProcess ask(FromProcess question) {
        boolean interrupted = Thread.interrupted();
        try {
            link.send(question);
            while (true) {
                try {
                    ToProcess answer = answers.take();
                    if (answer.hasRefused()) {
                        throw new RatchetException(answer.getRefused().getMessage());
                    }
                    return answer;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (IOException gone) {
            throw new RatchetException("The worker does not answer: " + gone, gone);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
