/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Consecutive shards that one thread owns, up to the next run. */
public final class ShardRun extends Part {
    @JsonPropertyDescription("First shard of the run.")
    @Required
    @Min(0)
    @Max(65_535)
    public int firstShard;

    @JsonPropertyDescription("Seat of the owner, such as orders-w-0.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.LABEL)
    public String seat = "";

    @JsonPropertyDescription("Thread of the owner.")
    @Min(0)
    @Max(1023)
    public int thread;
}
