/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** What has to hold before the next worker is replaced. */
public final class UpgradeGates extends Part {
    @JsonPropertyDescription("Restarts of the container of a new worker that are borne.")
    @Min(0)
    @Max(1000)
    public int maxRestarts;

    @JsonPropertyDescription("Attempts on new workers that fail in a minute, in percent of those that end: through the "
            + "system, or through their programs more often than on the other workers.")
    @Min(0)
    @Max(100)
    public int maxFailurePercent = 1;

    @JsonPropertyDescription("Step rate of the circuit, in percent of the rate before. Not supported by this release, "
            + "which judges no rate: leave it absent.")
    @Min(0)
    @Max(100)
    public int minStepRatePercent = 90;

    @JsonPropertyDescription("How long the new workers must have worked before the next is replaced, in milliseconds.")
    @Min(0)
    @Max(86_400_000)
    public long stableMillis = 60_000;

    @JsonPropertyDescription("How long a gate may stay closed, in milliseconds; more than stableMillis.")
    @Min(1000)
    @Max(86_400_000)
    public long timeoutMillis = 900_000;
}
