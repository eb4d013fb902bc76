/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.environment.Environment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The frames between this process and one other in one run, whatever happens to the connection between them: a frame is
 * kept until the other side has it, sent again over the next connection, and taken once. Both sides are at most one
 * meeting apart, so never more than two frames wait in either direction.
 */
final class Link implements Connection.Receiver {

    /** Below this the thread that meets the others writes itself, which saves waking another one. */
    private static final int SHORT_FRAME_BYTES = 16 << 10;

    private static final int MOST_WAITING = 2;
    private static final long BYE_MILLIS = 200;

    private final ExchangePeer peer;
    private final ExchangeSettings settings;
    private final ExchangeCounters counters;
    private final LinkSession session;
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final TimedCondition arrived;
    private final TimedCondition changed;
    private final Deque<Numbered> outgoing = new ArrayDeque<>();
    private final Deque<ByteBuffer> incoming = new ArrayDeque<>();
    private @Nullable Connection connection;
    private boolean writing;
    private boolean isPingDue;
    private long connections;
    private long brokenNanos;
    private long last;
    private long sent;
    private long received;
    private @Nullable String over;

    private record Numbered(long number, ByteBuffer frame) {}

    /** What one thread writes while {@link #writing}; no frame is a ping. */
    private record Work(Connection target, @Nullable Numbered next, long received) {}

    Link(
            ExchangePeer peer,
            ExchangeSettings settings,
            ExchangeCounters counters,
            LinkSession session,
            Environment environment) {
        this.peer = peer;
        this.settings = settings;
        this.counters = counters;
        this.session = session;
        this.environment = environment;
        this.arrived = new TimedCondition(lock, environment);
        this.changed = new TimedCondition(lock, environment);
        this.brokenNanos = environment.nanoTime();
    }

    ExchangePeer peer() {
        return peer;
    }

    /**
     * Hands over the frame of the next meeting. A short one is written here and now, which waits as long as the other
     * side does not read; the others by {@link #keepSending}.
     */
    void send(ByteBuffer frame) {
        Work work;
        lock.lock();
        try {
            Numbered next = new Numbered(++last, frame.duplicate());
            outgoing.add(next);
            Connection target = connection;
            if (target == null || writing || sent != next.number() - 1 || frame.remaining() > SHORT_FRAME_BYTES) {
                changed.signalAll();
                return;
            }
            writing = true;
            work = new Work(target, next, received);
        } finally {
            lock.unlock();
        }
        write(work);
    }

    /** The other side's frame of the next meeting. @throws PeersLostException when the run is over */
    ByteBuffer take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (incoming.isEmpty()) {
                if (over != null) {
                    throw new PeersLostException(over);
                }
                arrived.await();
            }
            return incoming.remove();
        } finally {
            lock.unlock();
        }
    }

    /** Writes long frames, those of a connection before, and pings, until the run is over. */
    void keepSending() throws InterruptedException {
        pingLater();
        for (Work work = awaitWork(); work != null; work = awaitWork()) {
            write(work);
        }
        sayBye();
    }

    /** One timer for as long as the run goes on: one for each wait for a frame would cost more than a short frame. */
    private void pingLater() {
        environment.schedule(settings.pingMillis(), () -> {
            lock.lock();
            try {
                isPingDue = true;
                changed.signalAll();
                if (over == null) {
                    pingLater();
                }
            } finally {
                lock.unlock();
            }
        });
    }

    /** Claims the connection; null when the run is over. */
    private @Nullable Work awaitWork() throws InterruptedException {
        lock.lock();
        try {
            while (over == null) {
                Connection target = connection;
                if (target != null && !writing) {
                    Numbered next = unsent();
                    if (next != null || isPingDue) {
                        writing = true;
                        isPingDue = false;
                        return new Work(target, next, received);
                    }
                }
                changed.await();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Numbered unsent() {
        for (Numbered frame : outgoing) {
            if (frame.number() > sent) {
                return frame;
            }
        }
        return null;
    }

    private void write(Work work) {
        Numbered next = work.next();
        boolean written = false;
        try {
            if (next == null) {
                work.target().writePing(work.received());
            } else {
                work.target().writeFrame(next.number(), next.frame(), work.received());
                counters.sentBytes.add(next.frame().remaining());
            }
            written = true;
        } catch (IOException broken) {
            work.target().cut();
            // Or it would be written to again and again until the thread that reads has noticed.
            detach(work.target());
        } finally {
            release(work, written);
        }
    }

    private void release(Work work, boolean written) {
        Numbered next = work.next();
        lock.lock();
        try {
            writing = false;
            if (written && next != null && connection == work.target()) {
                sent = next.number();
            }
            if (over != null || unsent() != null) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells the other side, where it listens, so that it need not find out. */
    private void sayBye() throws InterruptedException {
        Connection target;
        boolean claimed;
        String reason;
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(BYE_MILLIS);
            while (writing && left > 0) {
                left = changed.awaitNanos(left);
            }
            claimed = !writing;
            target = connection;
            reason = String.valueOf(over);
        } finally {
            lock.unlock();
        }
        if (target == null) {
            return;
        }
        try {
            if (claimed) {
                target.writeBye(0, reason);
            }
        } catch (IOException broken) {
            // The other side finds out when it connects again.
        } finally {
            target.cut();
        }
    }

    /**
     * Receives over a connection until it breaks or the run is over.
     *
     * @param peerHas number of the last frame that the other side has
     */
    void serve(Connection found, long peerHas) throws IOException {
        found.silentAfter(settings.silentMillis());
        if (!attach(found, peerHas)) {
            found.cut();
            return;
        }
        try {
            while (true) {
                found.read(this, settings.frameLimitBytes());
            }
        } finally {
            found.cut();
            detach(found);
        }
    }

    private boolean attach(Connection found, long peerHas) throws IOException {
        lock.lock();
        try {
            if (peerHas > last) {
                throw new IOException("Seat " + peer.seat() + " has frame " + peerHas + ", sent were " + last);
            }
            if (over != null) {
                return false;
            }
            if (connection != null) {
                connection.cut();
            }
            connection = found;
            connections++;
            counters.connections.increment();
            forget(peerHas);
            sent = outgoing.isEmpty() ? last : outgoing.element().number() - 1;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void detach(Connection lost) {
        lock.lock();
        try {
            if (connection == lost) {
                connection = null;
                brokenNanos = environment.nanoTime();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there has been no connection for so long. False when the run is over. */
    boolean awaitBroken(long millis) throws InterruptedException {
        lock.lock();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            while (over == null) {
                long left = nanos - (environment.nanoTime() - brokenNanos);
                if (connection != null) {
                    changed.await();
                } else if (left > 0) {
                    changed.awaitNanos(left);
                } else {
                    break;
                }
            }
            return over == null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for that long, or until there is a connection or the run is over. */
    void pause(long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (over == null && connection == null && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many connections there were, with the one that there is. */
    long connections() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }

    /** For how long there has been no connection; 0 while there is one. */
    long brokenMillis() {
        lock.lock();
        try {
            return connection == null ? TimeUnit.NANOSECONDS.toMillis(environment.nanoTime() - brokenNanos) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Number of the last frame that has arrived whole. */
    long received() {
        lock.lock();
        try {
            return received;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is sent or received any more; whoever waits is told why. */
    void end(String reason) {
        lock.lock();
        try {
            over = reason;
            arrived.signalAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean expects(long number) throws IOException {
        lock.lock();
        try {
            if (number <= received) {
                return false;
            }
            if (number > received + 1 || incoming.size() >= MOST_WAITING) {
                throw new IOException("Seat " + peer.seat() + " sends frame " + number + " when " + received
                        + " have arrived and " + incoming.size() + " of them wait");
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void frame(long number, ByteBuffer frame) {
        lock.lock();
        try {
            // Meanwhile the same one may have come over the next connection.
            if (number == received + 1) {
                received = number;
                counters.receivedBytes.add(frame.remaining());
                incoming.add(frame);
                arrived.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void acknowledged(long number) {
        lock.lock();
        try {
            forget(number);
        } finally {
            lock.unlock();
        }
    }

    private void forget(long number) {
        while (!outgoing.isEmpty() && outgoing.element().number() <= number) {
            outgoing.remove();
        }
    }

    @Override
    public void bye(String reason) {
        session.end("Seat " + peer.seat() + " has left the run: " + reason);
    }
}
