/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames of all files of a log, front to back. Changes nothing. What a crash has torn off the end of the last file
 * was acknowledged to nobody and is passed over; anything else that is not as it was written is damage, and is told.
 * For one thread at a time.
 */
final class LogScan implements Closeable {

    private final Disk disk;
    private final List<String> names;
    private int index = -1;
    private Disk.@Nullable File file;
    private final FrameReader frames = new FrameReader();
    private long bytesBefore;

    /** From the beginning of the first of these files. */
    LogScan(Disk disk, List<String> names) {
        this.disk = disk;
        this.names = names;
    }

    /**
     * The payload of the next frame, void after the next call; null at the end.
     *
     * @throws StoreDirectoryException if the log is damaged there
     */
    @Nullable
    ByteBuffer next() throws IOException {
        while (true) {
            ByteBuffer payload = file == null ? null : frames.next();
            if (payload != null) {
                return payload;
            }
            if (file != null) {
                checkEnd(file);
            }
            if (index + 1 >= names.size()) {
                return null;
            }
            close();
            bytesBefore += frames.position();
            Disk.File next = disk.open(names.get(++index));
            file = next;
            frames.begin(next);
        }
    }

    /** The file that the last frame is in, and those after it. */
    List<String> rest() {
        return names.subList(Math.max(0, index), names.size());
    }

    /** Bytes of all frames so far. */
    long bytes() {
        return bytesBefore + frames.position();
    }

    /**
     * Cuts what a crash has torn off the last file, once all has been read, and makes the rest durable: a process that
     * was killed may have left whole frames that no sync covered, and what is built on them must not outlive them.
     */
    void settleEnd() throws IOException {
        if (file == null) {
            return;
        }
        if (file.size() > frames.position()) {
            file.truncate(frames.position());
        }
        file.sync();
    }

    private void checkEnd(Disk.File ended) throws IOException {
        long sound = frames.position();
        boolean last = index == names.size() - 1;
        if (sound != ended.size() && (!last || isDamagedAt(ended, sound))) {
            throw new StoreDirectoryException("The log file " + disk.describe() + "/" + names.get(index)
                    + " is damaged at byte " + sound + ". Nothing was changed; restore a backup");
        }
    }

    /** Whether a frame after {@code position} says that what is there was durable once. */
    private static boolean isDamagedAt(Disk.File file, long position) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate(Math.toIntExact(file.size() - position));
        file.read(rest, position);
        rest.flip();
        int end = rest.limit();
        for (int at = 0; at + LogFrames.HEADER_BYTES + 1 + Long.BYTES <= end; at++) {
            long durableBefore = rest.getLong(at + LogFrames.HEADER_BYTES + 1);
            if (durableBefore > position && durableBefore <= position + at) {
                ByteBuffer candidate = rest.duplicate().position(at);
                if (LogFrames.take(candidate) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
