/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** When the state of a circuit is committed. */
public final class CheckpointPolicy extends Part {
    @JsonPropertyDescription("Time between commits, in milliseconds.")
    @Min(100)
    @Max(86_400_000)
    public long intervalMillis = 10_000;

    @JsonPropertyDescription("Committed versions kept.")
    @Min(2)
    @Max(1000)
    public int retainedVersions = 3;

    @JsonPropertyDescription("Where all files of a version are copied to, such as s3://bucket/orders; empty: nowhere. "
            + "Not supported by this release: leave it empty.")
    @Size(max = 1024)
    public String location = "";
}
