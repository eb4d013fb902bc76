/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.Part;
import io.fabric8.generator.annotation.Size;
import java.util.ArrayList;
import java.util.List;

/** How the circuit stood when the coordinator last spoke. */
public final class CircuitSummary extends Part {
    @JsonPropertyDescription("The reason of the condition CircuitRunning, such as Running or WaitingForWorker.")
    @Size(max = 63)
    public String state = "";

    @JsonPropertyDescription("The last step that was taken.")
    public long step;

    @JsonPropertyDescription("The last version of the state that is durable on all workers.")
    public long version;

    @JsonPropertyDescription("SHA-256 of the program that runs, in hexadecimal.")
    @Size(max = 64)
    public String programDigest = "";

    @JsonPropertyDescription("Rows that were read, by table.")
    @ListMapKey("name")
    @Size(max = 256)
    public List<InputCount> inputs = new ArrayList<>();

    @JsonPropertyDescription("The sum of lagRows of all inputs.")
    public long lagRows;

    @JsonPropertyDescription("Bytes that were accepted and are in no step yet.")
    public long pendingBytes;

    @JsonPropertyDescription("Rows of changes that were put out, by view.")
    @ListMapKey("name")
    @Size(max = 256)
    public List<OutputCount> outputs = new ArrayList<>();

    @JsonPropertyDescription("The largest lagSteps of all outputs.")
    public long lagSteps;

    @JsonPropertyDescription("Rows that could not be parsed or computed.")
    public long errorRows;
}
