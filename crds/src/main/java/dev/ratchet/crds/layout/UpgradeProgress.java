/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.layout;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Where an upgrade of several layouts stands. */
public final class UpgradeProgress extends Part {
    /** Characters of a reason. */
    public static final int REASON_LENGTH_MAX = 1024;

    @JsonPropertyDescription("Revision that is left.")
    @Required
    @Size(max = 253)
    public String from = "";

    @JsonPropertyDescription("Revision that is reached.")
    @Required
    @Size(max = 253)
    public String to = "";

    @JsonPropertyDescription("Forward: towards the accepted spec. Back: a gate did not open.")
    public UpgradeDirection direction = UpgradeDirection.FORWARD;

    @JsonPropertyDescription("Why it goes back: the gate that did not open. Not part of the digest.")
    @Size(max = REASON_LENGTH_MAX)
    public String reason = "";

    @JsonPropertyDescription("Which attempt at the same revision it is.")
    @Min(1)
    @Max(1000)
    public int attempt = 1;

    @JsonPropertyDescription("Number of this step, from 1.")
    @Min(1)
    @Max(10_000)
    public int step = 1;

    @JsonPropertyDescription("Steps that it takes.")
    @Min(1)
    @Max(10_000)
    public int steps = 1;
}
