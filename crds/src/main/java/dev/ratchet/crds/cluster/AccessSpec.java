/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LIVE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import java.util.ArrayList;
import java.util.List;

/** Who may talk to the cluster. Every connection is mutual TLS. */
public final class AccessSpec extends Part {
    @JsonPropertyDescription("Where certificates come from.")
    public Certificates certificates = new Certificates();

    @JsonPropertyDescription("Whether there is the client default, an Admin, with the Secret <cluster>-client.")
    @OnChange(LIVE)
    public boolean defaultClient = true;

    @JsonPropertyDescription("Clients with a certificate of their own, each revocable alone.")
    @OnChange(LIVE)
    @ListMapKey("name")
    @Size(max = 100)
    public List<ClientAccessSpec> clients = new ArrayList<>();
}
