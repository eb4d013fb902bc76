/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LAYOUT;
import static dev.ratchet.crds.schema.ChangeImpact.LIVE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How state is spread over the workers and moved between them. This release accepts {@link #historyLimit} alone. */
public final class LayoutPolicy extends Part {
    @JsonPropertyDescription("Hot: state moves while the circuit runs. Cold: the circuit stops for the move. "
            + "Not supported by this release: leave it absent.")
    @OnChange(LIVE)
    public LayoutMode policy = LayoutMode.HOT;

    @JsonPropertyDescription(
            "How many shards the key space is cut into. Not supported by this release: leave it absent.")
    @OnChange(LAYOUT)
    public ShardingSpec sharding = new ShardingSpec();

    @JsonPropertyDescription("Limit of the rate at which one worker copies state; 0: no limit. Not supported by this "
            + "release: leave it absent.")
    @OnChange(LIVE)
    @Min(0)
    public long copyBytesPerSecond;

    @JsonPropertyDescription("The ComputeLayout with origin User whose assignment is wanted. Not supported by this "
            + "release: leave it absent.")
    @OnChange(LAYOUT)
    public PlacementReference placementRef = new PlacementReference();

    @JsonPropertyDescription("Finished ComputeLayouts kept.")
    @OnChange(LIVE)
    @Min(1)
    @Max(100)
    public int historyLimit = 20;
}
