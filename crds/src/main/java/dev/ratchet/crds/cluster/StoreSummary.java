/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** The store as the coordinator sees it. */
public final class StoreSummary extends Part {
    @JsonPropertyDescription("Kind of the store.")
    public StoreType type = StoreType.EMBEDDED;

    @JsonPropertyDescription("True, False or Unknown.")
    @Size(max = 7)
    @Pattern("^(True|False|Unknown)$")
    public String reachable = "Unknown";

    @JsonPropertyDescription("Written once into the subspace; guards against a store that belongs to another cluster.")
    @Size(max = 64)
    public String id = "";

    @JsonPropertyDescription(
            "Level of recorded formats: releases that do not read it can not come back. Absent: not known.")
    public @Nullable Integer formatLevel;

    @JsonPropertyDescription("The highest level that all workers read; it is what finalizing an upgrade raises to.")
    public @Nullable Integer formatCommon;
}
