/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pages in memory that are handed out while a gate is open. Who waits for it too long fails. */
public final class GatedPages extends MemoryPages {

    private static final long PATIENCE_SECONDS = 60;

    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean readersOpenIt;
    private volatile @Nullable RuntimeException failure;

    /** From now on no page can be read. */
    public void fail(RuntimeException why) {
        failure = why;
    }

    /** Shuts the gate until {@code next} is at zero. */
    public void shut(CountDownLatch next) {
        gate = next;
    }

    /** Shuts the gate until so many wait for a page at the same time. */
    public void shutUntil(int readers) {
        readersOpenIt = true;
        gate = new CountDownLatch(readers);
    }

    @Override
    public void read(long file, long offset, ByteBuffer page) throws IOException {
        if (readersOpenIt) {
            gate.countDown();
        }
        try {
            if (!gate.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the gate stays shut");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        RuntimeException why = failure;
        if (why != null) {
            throw why;
        }
        super.read(file, offset, page);
    }
}
