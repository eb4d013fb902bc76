/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** How the key space is cut. */
@ValidationRule(value = "self.shards in " + Patterns.POWERS_OF_TWO, message = "shards must be a power of two")
public final class ShardCount extends Part {
    @JsonPropertyDescription("Number of shards, a power of two.")
    @Min(1)
    @Max(65_536)
    public int shards = 1;

    @JsonPropertyDescription("Hash that maps keys to shards.")
    @Min(0)
    public int hashId = 1;
}
