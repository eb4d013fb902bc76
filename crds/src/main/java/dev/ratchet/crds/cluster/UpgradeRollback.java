/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** What happens when a gate of an upgrade does not open in time. */
public final class UpgradeRollback extends Part {
    @JsonPropertyDescription("Go back to the last version that worked, if the state format allows it.")
    public boolean onFailure = true;

    @JsonPropertyDescription("Upgrades to one version tried before it is left alone.")
    @Min(1)
    @Max(10)
    public int maxAttempts = 1;
}
