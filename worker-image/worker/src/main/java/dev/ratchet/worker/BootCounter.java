/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers the processes that ran on one data directory. The lock is held for the life of the process, so whoever has a
 * number knows that all holders of lower ones are dead. A number is durable before it is used.
 */
final class BootCounter implements AutoCloseable {

    private static final int LONGEST_NUMBER = 20;

    private final FileChannel channel;
    private final long number;

    private BootCounter(FileChannel channel, long number) {
        this.channel = channel;
        this.number = number;
    }

    /**
     * Takes the next number of {@code dataDirectory}.
     *
     * @throws IOException if the directory can not be written, or another process holds it
     */
    static BootCounter next(Path dataDirectory) throws IOException {
        Files.createDirectories(dataDirectory);
        Path file = dataDirectory.resolve("boot");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (!lock(channel)) {
                throw new IOException(
                        "Another process holds " + file + ": one data directory is for one worker at a time");
            }
            long number = read(channel, file) + 1;
            write(channel, number);
            return new BootCounter(channel, number);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    private static long read(FileChannel channel, Path file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(LONGEST_NUMBER + 1);
        int length = channel.read(buffer, 0);
        if (length <= 0) {
            return 0;
        }
        String text = new String(buffer.array(), 0, length, StandardCharsets.US_ASCII).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException damaged) {
            throw new IOException(file + " holds '" + text + "' instead of a number: remove the file", damaged);
        }
    }

    private static void write(FileChannel channel, long number) throws IOException {
        ByteBuffer text = ByteBuffer.wrap((number + "\n").getBytes(StandardCharsets.US_ASCII));
        while (text.hasRemaining()) {
            channel.write(text, text.position());
        }
        channel.force(true);
    }

    long number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
