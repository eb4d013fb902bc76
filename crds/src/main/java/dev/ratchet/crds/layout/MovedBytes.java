/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;

/** Bytes of state that a change of layout moves. */
public final class MovedBytes extends Part {
    @JsonPropertyDescription("Bytes that the plan moves.")
    public long wanted;

    @JsonPropertyDescription("Bytes moved so far.")
    public long moved;

    @JsonPropertyDescription("Bytes that have to move whatever the method.")
    public long lowerBound;
}
