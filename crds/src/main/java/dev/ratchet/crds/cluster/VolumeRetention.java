/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;

/** What becomes of the volumes of workers that go; names as in StatefulSet. */
public final class VolumeRetention extends Part {
    @JsonPropertyDescription("When the worker leaves because the cluster shrinks.")
    public DeletionPolicy whenScaled = DeletionPolicy.DELETE;

    @JsonPropertyDescription("When the cluster is deleted; Retain in deletionPolicy keeps them as well.")
    public DeletionPolicy whenDeleted = DeletionPolicy.DELETE;
}
