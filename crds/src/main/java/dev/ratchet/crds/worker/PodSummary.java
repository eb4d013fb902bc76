/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;

/** The pod of a seat. */
public final class PodSummary extends Part {
    @JsonPropertyDescription("Name of the pod.")
    @Size(max = 253)
    public String name = "";

    @JsonPropertyDescription("UID of the pod.")
    @Size(max = 64)
    public String uid = "";

    @JsonPropertyDescription("Hash of what the pod was made from.")
    @Size(max = 253)
    public String revision = "";

    @JsonPropertyDescription("Image that runs, by digest where known.")
    @Size(max = 1024)
    public String image = "";
}
