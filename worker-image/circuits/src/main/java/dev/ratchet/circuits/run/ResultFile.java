/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.run;

import dev.ratchet.circuits.state.DirectoryFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file that results go to: its first bytes may be those of runs before. One thread at a time. */
final class ResultFile extends OutputStream {

    private final Path file;
    private final FileChannel channel;
    private final boolean regular;
    private final Names names;
    private boolean isNamed;
    private long bytes;

    /** Makes the names of the files in a directory survive crashes. */
    @FunctionalInterface
    interface Names {
        void store(Path directory) throws IOException;
    }

    /**
     * Opens a file and cuts it to its first bytes.
     *
     * @throws InputException where it can not be written, or is shorter than that
     */
    ResultFile(Path file, long kept) {
        this(file, kept, DirectoryFiles::syncNames);
    }

    ResultFile(Path file, long kept, Names names) {
        this.file = file;
        this.names = names;
        try {
            this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            this.regular = Files.isRegularFile(file);
            if (regular) {
                cut(kept);
            }
            this.bytes = kept;
        } catch (NoSuchFileException e) {
            throw new InputException("Can not write " + file + ": its directory is missing", e);
        } catch (IOException e) {
            throw new InputException("Can not write " + file + ": " + e, e);
        }
    }

    private void cut(long kept) throws IOException {
        if (channel.size() < kept) {
            channel.close();
            throw new InputException("The output " + file + " has fewer than the " + kept
                    + " bytes written to it; give that file, another name where the run before ended, or an"
                    + " empty state directory");
        }
        channel.truncate(kept);
        channel.position(kept);
    }

    /** Whether it can be cut back; a pipe or a terminal can not. */
    boolean isRegular() {
        return regular;
    }

    /** How long the file is. */
    long bytes() {
        return bytes;
    }

    /** Returns once all that was written survives a crash, and the name of the file with it. */
    void sync() throws IOException {
        try {
            channel.force(false);
            Path directory = file.toAbsolutePath().getParent();
            if (!isNamed && directory != null) {
                names.store(directory);
                isNamed = true;
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(source, offset, length);
        try {
            while (buffer.hasRemaining()) {
                bytes += channel.write(buffer);
            }
        } catch (IOException e) {
            throw unwritable(e);
        }
    }

    /** The system's reason, which does not say where. */
    private IOException unwritable(IOException reason) {
        return new IOException("Can not write " + file + ": " + reason.getMessage(), reason);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
