/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * The bytes of an object are not those that were written. It and a file that is not there are the only reasons to give
 * a copy up: whatever else keeps it from being read, such as too many open files, may pass.
 */
final class DamagedObjectException extends IOException {

    DamagedObjectException(ObjectName name, long bytes, long read) {
        super("The object " + name + " is damaged: of its " + bytes + " bytes " + read
                + " were read, or they are others than those that were written");
    }

    /** Whether what could not be read is gone for ever. */
    static boolean isGone(IOException failure) {
        return failure instanceof DamagedObjectException || failure instanceof NoSuchFileException;
    }
}
