/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.keyspace;

/**
 * The store holds another cluster's data, or data of a format that this release does not work on. Not to be retried.
 */
public final class WrongStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongStoreException(String message) {
        super(message);
    }
}
