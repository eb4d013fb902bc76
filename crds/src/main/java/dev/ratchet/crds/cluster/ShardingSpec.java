/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How many shards the key space is cut into: fixed, or as many as the imbalance allowed needs. */
@ValidationRule(
        value = "(self.type == 'Fixed') == has(self.shards)",
        message = "shards is set if and only if the type of sharding is Fixed")
@ValidationRule(
        value = "self.type == 'Dynamic' || !has(self.maxImbalancePercent)",
        message = "maxImbalancePercent may be set only if the type of sharding is Dynamic")
@ValidationRule(
        value = "!has(self.shards) || self.shards in " + Patterns.POWERS_OF_TWO,
        message = "shards must be a power of two from 1 to 65536")
public final class ShardingSpec extends Part {
    @JsonPropertyDescription("Dynamic: the number follows the workers. Fixed: it is set by shards.")
    public ShardingType type = ShardingType.DYNAMIC;

    @JsonPropertyDescription("Dynamic: how much more than its share one worker may hold, in percent; absent: 10.")
    @Min(1)
    @Max(100)
    public @Nullable Integer maxImbalancePercent;

    @JsonPropertyDescription("Fixed: the number of shards, a power of two.")
    @Min(1)
    @Max(65_536)
    public @Nullable Integer shards;
}
