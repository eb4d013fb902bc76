/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** A view that is followed over HTTP. */
public final class HttpOutput extends Part {
    @JsonPropertyDescription("Steps of changes that are kept for whoever reads later or was cut off.")
    @Min(1)
    @Max(100_000)
    public int retainedSteps = 1000;
}
