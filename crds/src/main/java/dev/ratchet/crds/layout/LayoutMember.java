/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One worker of a layout. */
public final class LayoutMember extends Part {
    @JsonPropertyDescription("Seat of the worker, such as orders-w-0.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.LABEL)
    public String seat = "";

    @JsonPropertyDescription("Kubernetes node that it runs on; empty: not known yet.")
    @Size(max = 253)
    public String host = "";

    @JsonPropertyDescription("Revision of the cluster that its pod is made from.")
    @Size(max = 253)
    public String revision = "";
}
