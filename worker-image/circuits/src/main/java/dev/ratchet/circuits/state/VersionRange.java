/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/**
 * The versions that can be opened: one or two successive numbers.
 *
 * @param first the older one
 * @param last the newer one, or the same
 */
public record VersionRange(long first, long last) {

    public VersionRange {
        if (first < 0 || last < first || last > first + 1) {
            throw new IllegalArgumentException(
                    "Versions " + first + " to " + last + "; a database has one or two, from 0 on");
        }
    }

    public boolean contains(long version) {
        return first <= version && version <= last;
    }
}
