/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.protocol.release.VersionRange;
import org.junit.jupiter.api.Order;

/** From this release to the next, whose formats are of one level more. */
@Order(2)
class NextReleaseCircuit extends ReleaseCircuit {

    NextReleaseCircuit() {
        super(TwoReleases.thisAndNext(), VersionRange.FORMATS.newest() + 1);
    }
}
