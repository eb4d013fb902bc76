/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import dev.ratchet.protocol.release.VersionRange;
import org.junit.jupiter.api.Order;

/** From the release before this one to this one, whose formats are of one level more. */
@Order(4)
class FormerReleaseCircuit extends ReleaseCircuit {

    FormerReleaseCircuit() {
        super(TwoReleases.beforeAndThis(), VersionRange.FORMATS.newest());
    }
}
