/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.local.apiserver.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A field selector: fields that must, or must not, have a value. Absent fields count as empty, as on the real server.
 */
public final class FieldSelector {

    private static final Set<String> EVERY_KIND = Set.of("metadata.name", "metadata.namespace");
    private static final Set<String> OF_PODS = Set.of(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName");
    private static final Set<String> OF_EVENTS = Set.of(
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingComponent",
            "reportingController",
            "source",
            "type");

    private record Requirement(List<String> path, String value, boolean negated) {
        boolean holds(JsonNode object) {
            JsonNode found = Json.at(object, path);
            return (found == null ? "" : found.asText()).equals(value) != negated;
        }
    }

    private static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private final List<Requirement> requirements;

    private FieldSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    public boolean matches(JsonNode object) {
        return requirements.stream().allMatch(requirement -> requirement.holds(object));
    }

    /**
     * Reads a selector such as {@code metadata.name=a,status.phase!=Running}.
     *
     * @throws ApiException 400 for a field that the kind can not be selected by
     */
    public static FieldSelector parse(String text, ResourceType type) {
        List<Requirement> found = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw ApiException.badRequest("invalid selector: '" + part + "'; can't understand '" + part + "'");
            }
            boolean negated = part.charAt(equals - 1) == '!';
            String field = part.substring(0, negated ? equals - 1 : equals).strip();
            String value = part.substring(equals + 1).replaceFirst("^=", "").strip();
            if (!isSelectable(field, type)) {
                String problem = "field label not supported: " + field;
                throw ApiException.badRequest(type.custom() ? problem : unableToFind(type, text) + problem);
            }
            found.add(new Requirement(List.of(field.split("\\.", -1)), value, negated));
        }
        return found.isEmpty() ? EVERYTHING : new FieldSelector(List.copyOf(found));
    }

    private static String unableToFind(ResourceType type, String text) {
        return "Unable to find \"" + type.apiVersion() + ", Resource=" + type.plural()
                + "\" that match label selector \"\", field selector \"" + text + "\": ";
    }

    private static boolean isSelectable(String field, ResourceType type) {
        if (EVERY_KIND.contains(field)) {
            return true;
        }
        return switch (type.kind()) {
            case "Pod" -> OF_PODS.contains(field);
            case "Event" -> OF_EVENTS.contains(field);
            case "Namespace" -> field.equals("status.phase");
            case "Secret" -> field.equals("type");
            case "Node" -> field.equals("spec.unschedulable");
            default -> false;
        };
    }
}
