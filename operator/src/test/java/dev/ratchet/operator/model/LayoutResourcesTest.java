/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.layout.UpgradeProgress;
import org.junit.jupiter.api.Test;

/** What is compared with the coordinator's record. */
class LayoutResourcesTest {

    @Test
    void theReasonOfAWayBackIsNotInTheDigestBecauseFormerReleasesDoNotKnowIt() {
        ComputeLayout layout = new ComputeLayout();
        layout.getSpec().upgrade = new UpgradeProgress();
        String before = LayoutResources.digest(layout);
        layout.getSpec().upgrade.reason = "the container of pod orders-w-3 has restarted";
        assertThat(LayoutResources.digest(layout)).isEqualTo(before);
        layout.getSpec().upgrade.step = 2;
        assertThat(LayoutResources.digest(layout)).isNotEqualTo(before);
    }

    @Test
    void theDigestIsThatOfTheSpec() {
        ComputeLayout layout = new ComputeLayout();
        layout.getSpec().epoch = 3L;
        layout.getSpec().upgrade = new UpgradeProgress();
        assertThat(LayoutResources.digest(layout)).isEqualTo(Revision.sha256(layout.getSpec()));
    }
}
