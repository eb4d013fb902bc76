/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns the search for what a pod template says and Kubernetes does not know, such as {@code tolerationz}, or does not
 * take, such as a number of seconds that is a word. The models keep it, so that it would be sent on.
 */
final class UnknownFields {
    /** Where it is, such as {@code spec.containers[0].imag}, and what is wrong there. */
    record Found(String path, String what) {}

    private UnknownFields() {}

    /** Unknown fields in the order of the template, up to the first value that can not be read. */
    static List<Found> of(PodTemplateSpec template) {
        Collector collector = new Collector();
        ObjectMapper strict =
                new ObjectMapper().setAnnotationIntrospector(new NothingElse()).addHandler(collector);
        try {
            strict.readValue(strict.writeValueAsString(template), PodTemplateSpec.class);
        } catch (JsonMappingException e) {
            collector.found.add(new Found(path(e.getPath()), "has a value that Kubernetes does not take"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a pod template that was written can not be parsed", e);
        }
        return collector.found;
    }

    private static String path(List<JsonMappingException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference at : references) {
            if (at.getFieldName() == null) {
                path.append('[').append(at.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(at.getFieldName());
            }
        }
        return path.toString();
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
        private final List<Found> found = new ArrayList<>();

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser parser,
                JsonDeserializer<?> deserializer,
                Object owner,
                String name)
                throws IOException {
            found.add(new Found(
                    path(parser.getParsingContext().pathAsPointer()), "is not a field that Kubernetes knows"));
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
