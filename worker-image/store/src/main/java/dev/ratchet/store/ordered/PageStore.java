/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Files of pages that are only appended to. One thread appends; any may read. Calls block. */
public interface PageStore {

    /** Where an appended page begins. */
    record Position(long file, long offset) {}

    /** Writes a page, which is durable after the next sync of the owner of the files. */
    Position append(ByteBuffer page) throws IOException;

    /** Fills {@code page} from a position; less only where the file ends. */
    void read(long file, long offset, ByteBuffer page) throws IOException;

    /** Where this is, for people. */
    String describe(long file);
}
