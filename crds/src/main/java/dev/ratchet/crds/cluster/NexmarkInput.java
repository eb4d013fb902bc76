/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** Generated events of the Nexmark benchmark, for the tables person, auction and bid. */
public final class NexmarkInput extends Part {
    @JsonPropertyDescription(
            "Events in a second, at most. Of 50 events one is a person, 3 are auctions and 46 are bids.")
    @Min(1)
    @Max(1_000_000)
    public long eventsPerSecond = 1000;

    @JsonPropertyDescription("What events are made of, with their numbers; 0: those of Apache Beam.")
    @Min(0)
    public long seed;

    @JsonPropertyDescription("Number of events after which the input ends; 0: it does not end.")
    @Min(0)
    public long events;
}
