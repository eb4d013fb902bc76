/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** One source of rows: the member that {@link #type} names is set. */
@ValidationRule(
        value = "(self.type == 'Kafka') == has(self.kafka)",
        message = "the member kafka is set if and only if the type of the input is Kafka")
@ValidationRule(
        value = "(self.type == 'Clock') == has(self.clock)",
        message = "the member clock is set if and only if the type of the input is Clock")
@ValidationRule(
        value = "(self.type == 'Nexmark') == has(self.nexmark)",
        message = "the member nexmark is set if and only if the type of the input is Nexmark")
@ValidationRule(
        value = "(self.type == 'Files') == has(self.files)",
        message = "the member files is set if and only if the type of the input is Files")
public final class CircuitInput extends Part {
    @JsonPropertyDescription("Name of the table that the rows are for, such as orders. Of type Nexmark: any name, "
            + "as it is for three tables.")
    @Required
    @Size(max = 63)
    @Pattern(Patterns.IDENTIFIER)
    public String name = "";

    @JsonPropertyDescription(
            "Kind of the source. Clock: rows with the time. Nexmark: generated events. Files: those of a folder. "
                    + "Kafka: not supported by this release.")
    @Required
    public ConnectorType type = ConnectorType.KAFKA;

    @JsonPropertyDescription("Set if and only if type is Kafka.")
    public @Nullable KafkaInput kafka;

    @JsonPropertyDescription("Set if and only if type is Clock.")
    public @Nullable ClockInput clock;

    @JsonPropertyDescription("Set if and only if type is Nexmark.")
    public @Nullable NexmarkInput nexmark;

    @JsonPropertyDescription("Set if and only if type is Files.")
    public @Nullable FilesInput files;
}
