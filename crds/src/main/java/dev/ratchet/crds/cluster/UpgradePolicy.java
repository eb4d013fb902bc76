/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LIVE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** How a change of version, image or pod is rolled out. */
@ValidationRule(
        value = "self.maxUnavailable + self.maxSurge > 0 || self.strategy == 'AllAtOnce' || self.strategy == 'InPlace'",
        message = "maxUnavailable and maxSurge are both 0, so no worker could ever be replaced; raise one of them")
public final class UpgradePolicy extends Part {
    @JsonPropertyDescription("In which order workers are replaced. InPlace gives living pods another image, one after "
            + "the other, and can change nothing else without spec.workers.storage.")
    @OnChange(LIVE)
    public UpgradeStrategy strategy = UpgradeStrategy.SURGE_THEN_REMOVE;

    @JsonPropertyDescription("Workers that may be missing during the upgrade.")
    @OnChange(LIVE)
    @Min(0)
    @Max(1000)
    public int maxUnavailable;

    @JsonPropertyDescription("Workers that may exist above replicas during the upgrade.")
    @OnChange(LIVE)
    @Min(0)
    @Max(1000)
    public int maxSurge = 1;

    @JsonPropertyDescription(
            "While true the upgrade stops between steps; the annotation ratchet.dev/approve-step: \"<epoch>\" "
                    + "lets the layout of that epoch through.")
    @OnChange(LIVE)
    public boolean suspended;

    @JsonPropertyDescription("What has to hold before the next worker is replaced.")
    @OnChange(LIVE)
    public UpgradeGates gates = new UpgradeGates();

    @JsonPropertyDescription("What happens when a gate does not open in time.")
    @OnChange(LIVE)
    public UpgradeRollback rollback = new UpgradeRollback();

    @JsonPropertyDescription(
            "Automatic: recorded formats are raised once the last workers have worked for stableMillis, which ends the "
                    + "way back. Manual: when a person says so, by kubectl ratchet upgrade finalize.")
    @OnChange(LIVE)
    public FinalizePolicy finalize = FinalizePolicy.AUTOMATIC;
}
