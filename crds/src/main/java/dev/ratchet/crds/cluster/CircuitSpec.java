/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import static dev.ratchet.crds.schema.ChangeImpact.IMMUTABLE;
import static dev.ratchet.crds.schema.ChangeImpact.LIVE;
import static dev.ratchet.crds.schema.ChangeImpact.UPGRADE;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.ListMapKey;
import dev.ratchet.crds.schema.OnChange;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An incremental dataflow program: the member that {@link #type} names is set. */
@ValidationRule(
        value = "(self.type == 'SQL') == has(self.sql)",
        message = "the member sql is set if and only if the type of the circuit is SQL")
@ValidationRule(
        value = "(self.type == 'Class') == has(self.class)",
        message = "the member class is set if and only if the type of the circuit is Class")
public final class CircuitSpec extends Part {
    @JsonPropertyDescription("Name of the state of the program, such as orders. Another name is another state: "
            + "remove the circuit first.")
    @OnChange(IMMUTABLE)
    @Required
    @Size(max = 63)
    @Pattern(Patterns.LABEL)
    public String name = "";

    @JsonPropertyDescription("SQL: a program text. Class: a Java class that builds it.")
    @OnChange(LIVE)
    @Required
    public CircuitType type = CircuitType.SQL;

    @JsonPropertyDescription("Set if and only if type is SQL. A program that differs from the one whose state is kept "
            + "is refused by the workers, which go on with that one.")
    @OnChange(LIVE)
    public @Nullable SqlProgramSpec sql;

    @JsonPropertyDescription("Set if and only if type is Class.")
    @OnChange(LIVE)
    @JsonProperty("class")
    public @Nullable ClassProgramSpec classProgram;

    @JsonPropertyDescription("While true no step is executed.")
    @OnChange(LIVE)
    public boolean suspended;

    @JsonPropertyDescription("Where rows come from. Each table can be fed over HTTP without an entry here.")
    @OnChange(LIVE)
    @ListMapKey("name")
    @Size(max = 256)
    public List<CircuitInput> inputs = new ArrayList<>();

    @JsonPropertyDescription("Where changes go. Each view can be read over HTTP without an entry here.")
    @OnChange(LIVE)
    @ListMapKey("name")
    @Size(max = 256)
    public List<CircuitOutput> outputs = new ArrayList<>();

    @JsonPropertyDescription("How the circuit is reached over HTTP.")
    @OnChange(UPGRADE)
    public @Nullable CircuitHttp http;

    @JsonPropertyDescription("When state is committed.")
    @OnChange(LIVE)
    public CheckpointPolicy checkpoint = new CheckpointPolicy();

    @JsonPropertyDescription(
            "Collect: a row that can not be computed is left out and told. Stop: it stops the circuit.")
    @OnChange(LIVE)
    public ErrorPolicy onError = ErrorPolicy.COLLECT;
}
