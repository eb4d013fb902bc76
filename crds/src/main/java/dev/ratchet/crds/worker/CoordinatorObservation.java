/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.worker;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;

/** A report of a coordinator; (term, seq) orders them. */
public final class CoordinatorObservation extends Part {
    @JsonPropertyDescription("Term of the coordinator.")
    public long term;

    @JsonPropertyDescription("Number of the report in the term.")
    public long seq;
}
