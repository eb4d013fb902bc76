/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** How the key space is cut. */
public final class ShardCount extends Part {
    @JsonPropertyDescription("Number of shards, a power of two.")
    @Min(1)
    @Max(65_536)
    public int shards = 1;

    @JsonPropertyDescription("Hash that maps keys to shards.")
    @Min(0)
    public int hashId = 1;
}
