/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds.schema;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The schema of a condition, as Kubernetes declares it for its own kinds. */
final class ConditionSchema {
    private ConditionSchema() {}

    static ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("type", "object").put("description", "One statement about the object.");
        schema.putArray("required")
                .add("type")
                .add("status")
                .add("lastTransitionTime")
                .add("reason")
                .add("message");
        ObjectNode properties = schema.putObject("properties");
        properties
                .putObject("type")
                .put("type", "string")
                .put("maxLength", 316)
                .put("description", "What the statement is about.");
        properties
                .putObject("status")
                .put("type", "string")
                .put("description", "Whether it holds.")
                .putArray("enum")
                .add("True")
                .add("False")
                .add("Unknown");
        properties
                .putObject("reason")
                .put("type", "string")
                .put("minLength", 1)
                .put("maxLength", 1024)
                .put("pattern", "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
                .put("description", "Why, in one word that programs can rely on, such as AllWorkersReady.");
        properties
                .putObject("message")
                .put("type", "string")
                .put("maxLength", 32768)
                .put("description", "Why, for people.");
        properties
                .putObject("lastTransitionTime")
                .put("type", "string")
                .put("format", "date-time")
                .put("description", "When status last changed.");
        properties
                .putObject("observedGeneration")
                .put("type", "integer")
                .put("format", "int64")
                .put("minimum", 0)
                .put("description", "Generation of the spec that the statement is about.");
        return schema;
    }
}
