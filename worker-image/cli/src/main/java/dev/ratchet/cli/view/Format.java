/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** How an answer is written. */
public enum Format {
    text,
    json,
    yaml;

    /** The whole, over several lines. */
    String document(JsonNode value) {
        return write(this == yaml ? yamlWriter() : new JsonMapper().writerWithDefaultPrettyPrinter(), value)
                .stripTrailing();
    }

    /** One of many: a line of JSON, or a YAML document with the line that begins it. */
    public String element(JsonNode value) {
        return this == yaml
                ? "---\n" + write(yamlWriter(), value).stripTrailing()
                : write(new JsonMapper().writer(), value);
    }

    private static ObjectWriter yamlWriter() {
        return YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                .disable(YAMLGenerator.Feature.SPLIT_LINES)
                .build()
                .writer();
    }

    private static String write(ObjectWriter writer, JsonNode value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("An answer could not be written", impossible);
        }
    }
}
