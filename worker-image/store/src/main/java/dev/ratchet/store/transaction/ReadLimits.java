/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/** How much a range read may still return. A row always fits when there is none yet. For one thread at a time. */
final class ReadLimits {
    static final int UNLIMITED = -1;

    private int rows;
    private long bytes;
    private boolean any;

    /** Rows and bytes, each {@link #UNLIMITED} or positive. */
    ReadLimits(int rows, long bytes) {
        this.rows = rows;
        this.bytes = bytes;
    }

    boolean isReached() {
        return rows == 0 || (bytes == 0 && any);
    }

    boolean hasBytes() {
        return bytes != UNLIMITED;
    }

    int rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    void take(byte[] key, byte[] value) {
        any = true;
        if (rows != UNLIMITED) {
            rows = Math.max(0, rows - 1);
        }
        if (bytes != UNLIMITED) {
            bytes = Math.max(0, bytes - key.length - value.length);
        }
    }
}
