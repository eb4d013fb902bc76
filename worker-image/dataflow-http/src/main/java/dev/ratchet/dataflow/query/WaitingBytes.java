/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.dataflow.query.RefusedException.Reason;
import java.util.concurrent.Semaphore;

/**
 * Owns how many bytes of all requests of one worker are there at once, whichever way they came: what is read and what
 * is being stored. Safe for use by several threads.
 */
public final class WaitingBytes {

    /** What a worker has without being told otherwise: 64 MiB. */
    public static final int DEFAULT_MAX = 64 << 20;

    private final int max;
    private final Semaphore left;

    public WaitingBytes(int max) {
        this.max = max;
        this.left = new Semaphore(max);
    }

    /** Bytes that count until this is closed, once. */
    @FunctionalInterface
    public interface Counted extends AutoCloseable {
        @Override
        void close();
    }

    /** Counts bytes. @throws RefusedException where there is no room for them now */
    public Counted begin(int bytes) {
        if (!left.tryAcquire(bytes)) {
            throw new RefusedException(
                    Reason.BUSY,
                    "Too many requests are being stored: with " + bytes + " bytes they have more than " + max,
                    "Send it again in a second");
        }
        return () -> left.release(bytes);
    }
}
