/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * An open file of the file system. Reads are made by the threads of whoever uses the store, and the JDK closes a
 * channel whose reader is interrupted: such a read opens the file again and goes on, and the thread stays interrupted.
 */
final class ChannelFile implements Disk.File {

    private static final int ZEROS_BYTES = 1 << 20;

    private final Path path;
    private final Set<? extends OpenOption> options;
    private final boolean syncs;
    private volatile FileChannel channel;
    private volatile boolean closed;
    private volatile long end;

    /**
     * Opens a file that exists.
     *
     * @param writes whether it is written to; if so, syncs reach the disk
     */
    ChannelFile(Path path, boolean writes) throws IOException {
        this(
                path,
                writes ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE) : Set.of(StandardOpenOption.READ),
                writes);
    }

    /** {@code syncs}: false to make {@link #sync} do nothing. */
    ChannelFile(Path path, Set<? extends OpenOption> options, boolean syncs) throws IOException {
        this.path = path;
        this.options = options;
        this.syncs = syncs;
        channel = FileChannel.open(path, options);
        end = channel.size();
    }

    /** Makes a new file. */
    static ChannelFile create(Path path, boolean syncs) throws IOException {
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                .close();
        return new ChannelFile(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE), syncs);
    }

    @Override
    public long size() {
        return end;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        boolean interrupted = Thread.interrupted();
        int start = target.position();
        try {
            while (true) {
                try {
                    return readFully(target, position);
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                    reopen(e);
                } catch (ClosedChannelException e) {
                    reopen(e);
                }
                target.position(start);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int readFully(ByteBuffer target, long position) throws IOException {
        FileChannel open = channel;
        int total = 0;
        while (target.hasRemaining()) {
            int count = open.read(target, position + total);
            if (count < 0) {
                break;
            }
            total += count;
        }
        return total;
    }

    private synchronized void reopen(ClosedChannelException cause) throws IOException {
        if (closed) {
            throw cause;
        }
        if (!channel.isOpen()) {
            channel = FileChannel.open(path, options);
        }
    }

    @Override
    public void append(ByteBuffer source) throws IOException {
        long at = end;
        while (source.hasRemaining()) {
            at += channel.write(source, at);
            end = at;
        }
    }

    @Override
    public void reserve(long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZEROS_BYTES));
        long at = end;
        while (at < end + bytes) {
            zeros.clear().limit((int) Math.min(zeros.capacity(), end + bytes - at));
            at += channel.write(zeros, at);
            if (syncs) {
                // By small steps, so that the log that is being written beside it does not wait long for the disk.
                channel.force(true);
            }
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        channel.truncate(size);
        end = size;
    }

    @Override
    public void sync() throws IOException {
        if (syncs) {
            channel.force(false);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
