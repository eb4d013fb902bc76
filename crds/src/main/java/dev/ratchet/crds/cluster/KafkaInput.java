/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.ratchet.crds.schema.Part;
import dev.ratchet.crds.schema.Patterns;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Kafka topic that rows are read from. */
public final class KafkaInput extends Part {
    @JsonPropertyDescription("Addresses of brokers, host:port separated by commas.")
    @Required
    @Size(max = 1024)
    public String bootstrapServers = "";

    @JsonPropertyDescription("Name of the topic.")
    @Required
    @Size(max = 249)
    public String topic = "";

    @JsonPropertyDescription(
            "Secret with client properties, for instance credentials, such as kafka-client; empty: none.")
    @Size(max = 253)
    @Pattern(Patterns.OPTIONAL_OBJECT_NAME)
    public String secretName = "";
}
