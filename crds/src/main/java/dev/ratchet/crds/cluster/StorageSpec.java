/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;
import static dev.ratchet.crds.schema.ChangeImpact.REFUSED;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;

/** A persistent volume of a pod. */
public final class StorageSpec extends Part {
    @JsonPropertyDescription("Size of the volume, such as 20Gi. To let the volume grow, make the "
            + "PersistentVolumeClaim larger where the storage class allows it.")
    @OnChange(REFUSED)
    public Quantity size = new Quantity("10Gi");

    @JsonPropertyDescription(
            "Storage class of the volume, such as standard; empty: the default class of the Kubernetes cluster.")
    @OnChange(IMMUTABLE)
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String storageClassName = "";
}
