/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/** Sizes of the object store of one worker. */
public final class ObjectStoreSpec extends Part {
    @JsonPropertyDescription(
            "Memory for results, outside the heap, such as 512Mi. Absent: a quarter of the memory limit.")
    public @Nullable Quantity memory;

    @JsonPropertyDescription("Disk space on the data volume for results that do not fit into memory, such as 10Gi."
            + " Absent: half of it, or 1Gi without one.")
    public @Nullable Quantity spill;
}
