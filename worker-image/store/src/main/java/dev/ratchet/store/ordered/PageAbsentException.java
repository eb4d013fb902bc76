/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.ordered;

/** A tree that does not wait for the disk has met a node that is not in memory. Says nothing else, and costs little. */
public final class PageAbsentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PageAbsentException() {
        super("a page is not in memory", null, false, false);
    }
}
