/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One sink of changes: the member that {@link #type} names is set. */
@ValidationRule(
        value = "(self.type == 'Kafka') == has(self.kafka)",
        message = "the member kafka is set if and only if the type of the output is Kafka")
@ValidationRule(
        value = "(self.type == 'Http') == has(self.http)",
        message = "the member http is set if and only if the type of the output is Http")
@ValidationRule(
        value = "(self.type == 'Files') == has(self.files)",
        message = "the member files is set if and only if the type of the output is Files")
public final class CircuitOutput extends Part {
    @JsonPropertyDescription("Name of the output, such as totals.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.IDENTIFIER)
    public String name = "";

    @JsonPropertyDescription("Name of the view in the program; empty: that of the output.")
    @Size(max = 253)
    public String view = "";

    @JsonPropertyDescription("Columns of the view by whose values its changes are put out, in place of the key that "
            + "the program names: rows that are equal in them are in one place and in order, those that leave before "
            + "those that come. It holds for all outputs of the view. Empty: as the program says.")
    @Size(max = 32)
    public List<String> key = new ArrayList<>();

    @JsonPropertyDescription("Kind of the sink. Http: how many steps are kept for readers. Files: a file for each step "
            + "that changes the view. Kafka: not supported by this release.")
    @Required
    public OutputType type = OutputType.KAFKA;

    @JsonPropertyDescription("Set if and only if type is Kafka.")
    public @Nullable KafkaOutput kafka;

    @JsonPropertyDescription("Set if and only if type is Http.")
    public @Nullable HttpOutput http;

    @JsonPropertyDescription("Set if and only if type is Files.")
    public @Nullable FilesOutput files;
}
