/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.peers.flink.rows;

import dev.ratchet.bench.dataflow.PaddedRows;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.LongConsumer;

/**
 * The log that sources read, and where committed rows go. A row of the log is its number: its key, 1 and a text that
 * is made of the number, so that a source that comes again gets the same rows from any place on. Faster than a log on
 * a disk, in favour of Flink.
 */
final class RowServer implements AutoCloseable {

    /** First byte of a source's connection; partition, partitions and the first number follow. */
    static final int READS = 1;
    /** First byte of a committer's connection; pieces of keys follow, each of which is answered with a byte. */
    static final int COMMITS = 2;

    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int textBytes;
    private final long keys;
    private final LongConsumer committed;
    private long end;

    /**
     * Serves.
     *
     * @param textBytes of each row
     * @param keys how many different ones there are
     * @param committed takes the key of each row that is visible; called by several threads
     */
    RowServer(int textBytes, long keys, LongConsumer committed) throws IOException {
        this.textBytes = textBytes;
        this.keys = keys;
        this.committed = committed;
        Thread.ofPlatform().daemon().name("rows").start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Adds rows up to a number to the log. */
    synchronized void appendUpTo(long number) {
        end = number;
        notifyAll();
    }

    private synchronized long awaitBehind(long number) throws InterruptedException {
        while (end <= number) {
            wait();
        }
        return end;
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connection.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> serve(connection));
            }
        } catch (IOException closed) {
            // The measurement is over.
        }
    }

    private void serve(Socket connection) {
        try (connection;
                DataInputStream in =
                        new DataInputStream(new BufferedInputStream(connection.getInputStream(), BUFFER_BYTES));
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(connection.getOutputStream(), BUFFER_BYTES))) {
            if (in.readUnsignedByte() == READS) {
                send(in.readInt(), in.readInt(), in.readLong(), out);
            } else {
                receive(in, out);
            }
        } catch (IOException ended) {
            // The process at the other end was killed, or has ended.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** The rows of a partition, those whose number has its remainder, from a number on. */
    private void send(int partition, int partitions, long first, DataOutputStream out)
            throws IOException, InterruptedException {
        long next = first;
        while (next % partitions != partition) {
            next++;
        }
        while (true) {
            long known = awaitBehind(next);
            for (; next < known; next += partitions) {
                out.writeLong(next);
                out.writeLong(next % keys);
                out.writeUTF(PaddedRows.text(next % keys, textBytes));
            }
            out.flush();
        }
    }

    private void receive(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                committed.accept(in.readLong());
            }
            out.writeByte(1);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
