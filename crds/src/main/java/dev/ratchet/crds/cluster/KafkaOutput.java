/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Kafka topic that changes are written to. */
public final class KafkaOutput extends Part {
    @JsonPropertyDescription("Addresses of brokers, host:port separated by commas.")
    @Required
    @Size(max = 1024)
    public String bootstrapServers = "";

    @JsonPropertyDescription("Name of the topic.")
    @Required
    @Size(max = 249)
    public String topic = "";

    @JsonPropertyDescription(
            "Transactional: one Kafka transaction per step. Deduplicated: readers drop repeated steps by "
                    + "the step header.")
    public KafkaOutputMode mode = KafkaOutputMode.TRANSACTIONAL;

    @JsonPropertyDescription(
            "Secret with client properties, for instance credentials, such as kafka-client; empty: none.")
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String secretName = "";
}
