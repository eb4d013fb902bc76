/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.release;

/**
 * Which levels of recorded formats one release reads and writes. A process is given its own from outside, so that
 * releases can be run beside each other in one test. Immutable.
 *
 * @param release such as {@code 0.2.0}
 * @param levels what it reads and writes
 */
public record ReleaseFormats(String release, VersionRange levels) {

    /** Those of this build. */
    public static final ReleaseFormats OWN = new ReleaseFormats(Release.VERSION, VersionRange.FORMATS);
}
