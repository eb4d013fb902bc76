/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Rows with the time, one for each interval. */
public final class ClockInput extends Part {
    @JsonPropertyDescription(
            "Time between two rows, in milliseconds. Each row has a multiple of it, counted from 1970, "
                    + "as the column ticked_at TIMESTAMP of the table.")
    @Min(10)
    @Max(86_400_000)
    public long intervalMillis = 1000;
}
