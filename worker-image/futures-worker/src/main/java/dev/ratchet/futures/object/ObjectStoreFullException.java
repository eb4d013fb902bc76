/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.object;

/** A result does not fit into the worker's object store. */
public final class ObjectStoreFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ObjectStoreFullException(long bytes, long used, long limit) {
        super("The object store is full: bytes=" + bytes + " used=" + used + " limit=" + limit
                + ". Raise spec.workers.objectStore, add workers, or return less.");
    }
}
