/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.run.RowBatches;
import dev.ratchet.circuits.run.RowBatches.RowBatch;
import dev.ratchet.dataflow.RowFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of a folder that is being read. One call at a time. */
final class OpenFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

    /** So much of a file is in one step in any case. */
    private static final int WANTED_BYTES = 4 << 20;

    private static final int BYTES_MAX = 8 << 20;

    private final Folder.Found found;
    private final SourceLog log;
    private final RowBatches batches;
    private boolean isBegun;

    /** The number of bytes in front of those that come next. */
    private long start;

    private @Nullable RowBatch next;

    /** @param log what is there of this file */
    OpenFile(Folder.Found found, SourceLog log) throws IOException {
        this.found = found;
        this.log = log;
        InputStream in = Files.newInputStream(found.path());
        try {
            this.batches = new RowBatches(in, found.format() == RowFormat.CSV, WANTED_BYTES, BYTES_MAX);
        } catch (RuntimeException | IOException unfit) {
            in.close();
            throw unfit;
        }
    }

    Folder.Found found() {
        return found;
    }

    SourceLog log() {
        return log;
    }

    /** Whether this file can go on behind so many bytes. */
    boolean isAt(long last) {
        return !isBegun || last == start || (next != null && last == next.end());
    }

    /**
     * The rows behind the last byte that is there, null at the end of the file.
     *
     * @param last number of bytes that are there, -1 for none
     * @throws IllegalArgumentException where the file has changed, or has rows that are too large
     */
    @Nullable
    RowBatch behind(long last) throws IOException {
        if (!isBegun && last > 0) {
            batches.skip(last);
        }
        if (!isBegun || (next != null && last == next.end())) {
            next = batches.next();
            requireUnchanged(last);
        }
        isBegun = true;
        start = last;
        return next;
    }

    private void requireUnchanged(long last) throws IOException {
        if (!found.equals(found.now())) {
            throw new IllegalArgumentException("the file " + found.path() + " was changed while it was read, "
                    + Math.max(0, last) + " bytes of it are there; write files under other names, and rename them"
                    + " when they are whole");
        }
    }

    @Override
    public void close() {
        try {
            batches.close();
        } catch (IOException e) {
            LOG.warn("The file {} could not be closed", found.path(), e);
        }
    }
}
