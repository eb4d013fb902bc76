/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A connection between two processes that know each other's seats: bytes in their order, both ways, until it breaks.
 * One thread reads, one at a time writes; any thread may {@link #cut} it.
 */
public interface ByteStream {

    /** What the other side sends; the same stream each time. */
    InputStream in() throws IOException;

    /** What goes to the other side; the same stream each time. Blocks while the other side does not read. */
    OutputStream out() throws IOException;

    /** From now on a read fails with an {@link IOException} when nothing arrives for so long. */
    void silentAfter(int millis) throws IOException;

    /** Breaks it at once: whoever reads or writes fails with an {@link IOException}. Never blocks. */
    void cut();
}
