/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.dataflow.exchange.ByteStream;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.simulation.world.VirtualProcess;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over a {@link Network}, as of TCP: bytes come in pieces of any length and in their order;
 * those over a link that is cut wait for it, and whoever writes waits once {@link #WINDOW_BYTES} were not read. A reset
 * may come between any two bytes. What a process has open breaks with it, which the other side learns of if the link is
 * whole. Blocks threads of its process.
 */
final class SimulatedStream implements ByteStream {

    private static final int WINDOW_BYTES = 64 << 10;
    private static final byte[] END = {};

    private final Network network;
    private final VirtualProcess process;
    private final Deque<byte[]> onTheWay = new ArrayDeque<>();
    private final Deque<byte[]> arrived = new ArrayDeque<>();
    private final InputStream in = new BufferedInputStream(new Input());
    private final OutputStream out = new Output();
    private @Nullable SimulatedStream other;
    private @Nullable Thread reader;
    private @Nullable Thread writer;
    private @Nullable String broken;
    private boolean ended;
    private int unread;
    private int silentMillis;

    private SimulatedStream(Network network, VirtualProcess process) {
        this.network = network;
        this.process = process;
    }

    /** The end of {@code from}; that of {@code to} is its {@link #other}. */
    static SimulatedStream between(Network network, VirtualProcess from, VirtualProcess to) {
        SimulatedStream near = new SimulatedStream(network, from);
        SimulatedStream far = new SimulatedStream(network, to);
        near.other = far;
        far.other = near;
        network.opened(near);
        network.opened(far);
        return near;
    }

    SimulatedStream other() {
        SimulatedStream found = other;
        if (found == null) {
            throw new IllegalStateException("A connection has two ends");
        }
        return found;
    }

    VirtualProcess process() {
        return process;
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return out;
    }

    @Override
    public void silentAfter(int millis) {
        silentMillis = millis;
    }

    @Override
    public void cut() {
        end("the connection was closed here");
    }

    /** Nothing of it works any more; the other side is told behind what it was sent. */
    void end(String reason) {
        if (broken == null) {
            broken = reason;
            network.ended(this);
            wake();
            other().send(END);
        }
    }

    private void wake() {
        for (Thread waiting : Arrays.asList(reader, writer)) {
            if (waiting != null) {
                LockSupport.unpark(waiting);
            }
        }
    }

    /** Sends to this end. */
    private void send(byte[] piece) {
        onTheWay.add(piece);
        network.deliver(other().process, process, this::arrive);
    }

    private void arrive() {
        byte[] piece = onTheWay.remove();
        if (piece == END) {
            ended = true;
        } else {
            arrived.add(piece);
        }
        wake();
    }

    private void read(int bytes) {
        network.deliver(process, other().process, () -> {
            other().unread -= bytes;
            other().wake();
        });
    }

    private void requireWhole() throws SocketException {
        String reason = broken;
        if (reason != null) {
            throw new SocketException(reason);
        }
    }

    /** Parks the thread until something may have changed. */
    private void await(BooleanSupplier condition) throws IOException {
        while (!condition.getAsBoolean() && broken == null) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedIOException("The thread was stopped");
            }
        }
    }

    private final class Input extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            boolean[] late = {false};
            reader = Thread.currentThread();
            Cancellable timer = silentMillis == 0
                    ? () -> {}
                    : process.schedule(silentMillis, () -> {
                        late[0] = true;
                        wake();
                    });
            try {
                SimulatedStream.this.await(() -> !arrived.isEmpty() || ended || late[0]);
            } finally {
                timer.cancel();
                reader = null;
            }
            requireWhole();
            if (arrived.isEmpty() && !ended) {
                throw new SocketTimeoutException("Nothing has come for " + silentMillis + " ms");
            }
            return arrived.isEmpty() ? -1 : take(into, offset, length);
        }

        private int take(byte[] into, int offset, int length) {
            byte[] piece = arrived.remove();
            int count = Math.min(length, piece.length);
            System.arraycopy(piece, 0, into, offset, count);
            if (count < piece.length) {
                arrived.addFirst(Arrays.copyOfRange(piece, count, piece.length));
            }
            SimulatedStream.this.read(count);
            return count;
        }
    }

    private final class Output extends OutputStream {

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        /** In two pieces, so that a message is seldom whole where the connection breaks. */
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int first = length == 0 ? 0 : 1 + process.random().nextInt(length);
            piece(bytes, offset, first);
            piece(bytes, offset + first, length - first);
        }

        private void piece(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; ) {
                writer = Thread.currentThread();
                try {
                    SimulatedStream.this.await(() -> unread < WINDOW_BYTES || ended);
                } finally {
                    writer = null;
                }
                requireWhole();
                if (ended) {
                    throw new SocketException("The other side has closed the connection");
                }
                if (network.resets()) {
                    other().end("connection reset");
                    end("connection reset");
                    requireWhole();
                }
                int count = Math.min(length - done, WINDOW_BYTES - unread);
                unread += count;
                other().send(Arrays.copyOfRange(bytes, offset + done, offset + done + count));
                done += count;
            }
        }
    }
}
