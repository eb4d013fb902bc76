/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

/**
 * The versions that can be opened: successive numbers, one or two unless more are retained.
 *
 * @param first the older one
 * @param last the newer one, or the same
 */
public record StateVersions(long first, long last) {

    public StateVersions {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    "Versions " + first + " to " + last + "; a database has at least one, from 0 on");
        }
    }

    public boolean contains(long version) {
        return first <= version && version <= last;
    }
}
