/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** One client that has a Secret of its own. */
public final class ClientAccessSpec extends Part {
    @JsonPropertyDescription("Name of the client, such as billing; it appears in its certificate and in the logs.")
    @Required
    @Size(max = 40)
    @Pattern(Patterns.LABEL)
    public String name = "";

    @JsonPropertyDescription("What the client may do: Admin everything; Submit what concerns the tenant of its own "
            + "name; Read nothing but look.")
    public ClientAccessRole role = ClientAccessRole.ADMIN;

    @JsonPropertyDescription(
            "Secret to put the connection into, such as billing-connection; empty: <cluster>-client-<name>.")
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String secretName = "";
}
