/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.engine;

import dev.ratchet.store.transaction.Limits;

/**
 * How an engine is set up.
 *
 * @param windowVersions how long a version stays readable, in versions: a million of them are a second
 * @param windowBytesMax what the versions of the window may cost in memory; at the bound the window shrinks, and older
 *     readers get 1007
 * @param pendingBytesMax how much may wait to become durable, in bytes, before commits wait in their queue
 */
public record EngineSettings(long windowVersions, long windowBytesMax, long pendingBytesMax) {
    /** A window of 5 s within 256 MB. */
    public static final EngineSettings DEFAULT = new EngineSettings(Limits.WINDOW_VERSIONS, 256L << 20, 64L << 20);
}
