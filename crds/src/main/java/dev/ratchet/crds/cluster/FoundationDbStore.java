/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;
import static dev.ratchet.crds.schema.ChangeImpact.LIVE;
import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** How to reach a FoundationDB cluster and which part of it is ours. */
public final class FoundationDbStore extends Part {
    @JsonPropertyDescription("Where the cluster file comes from.")
    @OnChange(LIVE)
    @Required
    public ClusterFileSource clusterFile = new ClusterFileSource();

    @JsonPropertyDescription(
            "Image of an init container that brings the client library libfdb_c; empty: the worker image has it.")
    @OnChange(UPGRADE)
    @Size(max = 512)
    public String clientImage = "";

    @JsonPropertyDescription(
            "Secret with tls.crt, tls.key and ca.crt for the connection to FoundationDB, such as fdb-tls; "
                    + "empty: no TLS.")
    @OnChange(UPGRADE)
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String tlsSecretName = "";

    @JsonPropertyDescription(
            "Name of the part of the key space that belongs to this cluster; empty: <namespace>/<name>. "
                    + "Sharing one is refused.")
    @OnChange(IMMUTABLE)
    @Size(max = 256)
    public String subspace = "";
}
