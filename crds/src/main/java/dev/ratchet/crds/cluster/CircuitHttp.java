/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import org.jspecify.annotations.Nullable;

/** How the circuit is reached over HTTP. */
public final class CircuitHttp extends Part {
    @JsonPropertyDescription(
            "Key of a Secret that holds a bearer token of 16 to 4096 characters, for tools that bring no client "
                    + "certificate; whoever shows it may write and read. A new token in the Secret holds without new "
                    + "pods. Absent: certificates only.")
    @OnChange(UPGRADE)
    public @Nullable KeyReference tokenSecretRef;
}
