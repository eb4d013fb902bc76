/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** An open file of the file system. */
final class ChannelFile implements Disk.File {

    private static final int ZEROS_BYTES = 1 << 20;

    private final FileChannel channel;
    private final boolean syncs;
    private long end;

    /** {@code syncs}: false to make {@link #sync} do nothing. */
    ChannelFile(FileChannel channel, boolean syncs) throws IOException {
        this.channel = channel;
        this.syncs = syncs;
        end = channel.size();
    }

    @Override
    public long size() {
        return end;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int count = channel.read(target, position + total);
            if (count < 0) {
                break;
            }
            total += count;
        }
        return total;
    }

    @Override
    public void append(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            end += channel.write(source, end);
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
    public void close() throws IOException {
        channel.close();
    }
}
