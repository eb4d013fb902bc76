/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.release;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Owns which versions of protocols between processes, and which levels of recorded formats, releases understand. Two
 * neighbouring releases share at least one of each, because they run beside each other during an upgrade: a release
 * that changes one of them keeps the one before.
 *
 * @param least the oldest, at least 1
 * @param newest at least {@code least}
 */
public record VersionRange(int least, int newest) {

    /** Levels of recorded formats that this release reads and writes. */
    public static final VersionRange FORMATS = new VersionRange(1, 2);

    /** Protocols between workers that this release speaks. */
    public static final VersionRange PROTOCOLS = new VersionRange(1, 1);

    /** Protocols between clients and workers that this release speaks. */
    public static final VersionRange GATEWAYS = new VersionRange(1, 1);

    /**
     * Levels of recorded formats by the first two numbers of the release, for all time: lines are added, not changed.
     */
    private static final Map<String, VersionRange> FORMATS_OF_RELEASES =
            Map.of("0.1", new VersionRange(1, 1), "0.2", new VersionRange(1, 2));

    private static final Pattern RELEASE = Pattern.compile("^([0-9]+\\.[0-9]+)\\..*$");

    public VersionRange {
        if (least < 1 || newest < least) {
            throw new IllegalArgumentException("Not a range of versions: " + least + " to " + newest);
        }
    }

    /** As it is recorded, where 0 says that the process is of the first release, which recorded no range. */
    public static VersionRange recorded(int least, int newest) {
        return new VersionRange(Math.max(1, least), Math.max(1, Math.max(least, newest)));
    }

    /** Levels of recorded formats that another release reads and writes; empty if this one does not know. */
    public static Optional<VersionRange> formatsOf(String version) {
        Matcher release = RELEASE.matcher(version);
        return release.matches() ? Optional.ofNullable(FORMATS_OF_RELEASES.get(release.group(1))) : Optional.empty();
    }

    public boolean contains(int version) {
        return version >= least && version <= newest;
    }

    /** Whether at least one version is in both. */
    public boolean shares(VersionRange other) {
        return least <= other.newest && other.least <= newest;
    }

    /** Such as {@code 1 to 2}. */
    @Override
    public String toString() {
        return least + " to " + newest;
    }
}
