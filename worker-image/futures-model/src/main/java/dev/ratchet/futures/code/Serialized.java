/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A serialised object, wherever its bytes are: in the heap, or in memory that several processes share. */
@FunctionalInterface
public interface Serialized {

    /** The bytes from the first on; may be called more than once. */
    InputStream open();

    /** One in the heap. */
    static Serialized of(byte[] bytes) {
        return () -> new ByteArrayInputStream(bytes);
    }
}
