/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns the search for what a pod template says and Kubernetes does not know, such as {@code tolerationz}. The models
 * keep it, so that it would be sent on, and the API server would drop it silently.
 */
final class UnknownFields {
    private UnknownFields() {}

    /** The paths of unknown fields, such as {@code spec.containers[0].imag}; in the order of the template. */
    static List<String> of(PodTemplateSpec template) {
        Collector collector = new Collector();
        ObjectMapper strict =
                new ObjectMapper().setAnnotationIntrospector(new NothingElse()).addHandler(collector);
        try {
            strict.readValue(strict.writeValueAsString(template), PodTemplateSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a pod template that was read can not be read again", e);
        }
        return collector.found;
    }

    /** Lets no model keep what it does not know. */
    private static final class NothingElse extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated member) {
            return false;
        }
    }

    private static final class Collector extends DeserializationProblemHandler {
        private final List<String> found = new ArrayList<>();

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object owner,
                String name)
                throws IOException {
            found.add(path(parser.getParsingContext().pathAsPointer()));
            parser.skipChildren();
            return true;
        }

        private static String path(JsonPointer pointer) {
            StringBuilder path = new StringBuilder();
            for (JsonPointer at = pointer; !at.matches(); at = at.tail()) {
                String name = at.getMatchingProperty();
                if (at.getMatchingIndex() >= 0) {
                    path.append('[').append(name).append(']');
                } else {
                    path.append(path.isEmpty() ? "" : ".").append(name);
                }
            }
            return path.toString();
        }
    }
}
