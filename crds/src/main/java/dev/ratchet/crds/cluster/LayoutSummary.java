/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The layout in force and the one proposed. */
public final class LayoutSummary extends Part {
    @JsonPropertyDescription("Epoch in force.")
    public long epoch;

    @JsonPropertyDescription("ComputeLayout in force.")
    @Size(max = 253)
    public String name = "";

    @JsonPropertyDescription("Epoch that the operator is working towards; absent: none.")
    public @Nullable Long proposed;

    @JsonPropertyDescription("Bytes that the layout in force has moved.")
    public long bytesMoved;

    @JsonPropertyDescription("Bytes that have to move for it whatever the method.")
    public long bytesLowerBound;
}
