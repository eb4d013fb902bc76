/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;

/** Where clients connect. */
public final class EndpointsSummary extends Part {
    @JsonPropertyDescription("Address of the client service, host:port.")
    @Size(max = 512)
    public String client = "";

    @JsonPropertyDescription("Address of the circuit's HTTP service, host:port; empty: the cluster runs none.")
    @Size(max = 512)
    public String circuit = "";
}
