/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Min;

/** Formats of persisted bytes. */
public final class Formats extends Part {
    @JsonPropertyDescription("Hash of keys.")
    @Min(0)
    public int hash = 1;

    @JsonPropertyDescription("Batches of rows.")
    @Min(0)
    public int batch = 1;

    @JsonPropertyDescription("Encoding of keys.")
    @Min(0)
    public int key = 1;
}
