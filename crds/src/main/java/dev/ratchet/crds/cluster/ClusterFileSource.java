/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.LIVE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Required;

/** The source of a FoundationDB cluster file. The pod gets a writable copy, because the client rewrites it. */
public final class ClusterFileSource extends Part {
    @JsonPropertyDescription("Key of a Secret that holds the cluster file.")
    @OnChange(LIVE)
    @Required
    public KeyReference secretKeyRef = new KeyReference();
}
