/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.transaction;

/**
 * Asks for a read version.
 *
 * @param causalReadRisky whether a slightly old version is good enough
 * @param lockAware whether the caller may work on a locked database
 */
public record ReadVersionRequest(boolean causalReadRisky, boolean lockAware) {
    /** What a transaction without options asks. */
    public static final ReadVersionRequest DEFAULT = new ReadVersionRequest(false, false);
}
