/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.definitions.DefinitionSchema;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.json.JsonPath;
import dev.ratchet.local.apiserver.model.Metadata;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CustomResourceDefinitions: the names that follow from others, the conditions, and what a schema must be like to be
 * served.
 */
final class DefinitionRules {

    public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";
    private static final Set<String> SCOPES = Set.of("Namespaced", "Cluster");

    private DefinitionRules() {}

    static void onWrite(ObjectNode definition) {
        ObjectNode spec = Json.ensure(definition, "spec");
        ObjectNode names = Json.ensure(spec, "names");
        String kind = names.path("kind").asText("");
        if (!names.has("singular")) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (!names.has("listKind")) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.putObject("conversion").put("strategy", "None");
        }
        if (!Metadata.isDeleting(definition) && !Metadata.finalizers(definition).contains(CLEANUP)) {
            Metadata.setFinalizers(definition, List.of(CLEANUP));
        }
        setStatus(definition, names);
    }

    private static void setStatus(ObjectNode definition, ObjectNode names) {
        ObjectNode status = Json.ensure(definition, "status");
        status.set("acceptedNames", names.deepCopy());
        if (!(status.get("conditions") instanceof ArrayNode)) {
            ArrayNode conditions = status.putArray("conditions");
            condition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
            condition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted");
        }
        ArrayNode stored =
                status.get("storedVersions") instanceof ArrayNode array ? array : status.putArray("storedVersions");
        for (JsonNode version : definition.path("spec").path("versions")) {
            JsonNode name = version.path("name");
            boolean isKnown = false;
            for (JsonNode known : stored) {
                isKnown |= known.equals(name);
            }
            if (version.path("storage").asBoolean(false) && !isKnown) {
                stored.add(name.asText());
            }
        }
    }

    private static void condition(ArrayNode conditions, String type, String reason, String message) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastTransitionTime", Metadata.now())
                .put("reason", reason)
                .put("message", message);
    }

    static void validate(ObjectNode definition, @Nullable ObjectNode current, List<FieldError> errors) {
        JsonNode spec = definition.path("spec");
        String wanted = Json.textAt(spec, "names", "plural") + "." + Json.textAt(spec, "group");
        if (!Metadata.name(definition).equals(wanted)) {
            errors.add(FieldError.invalid(
                    "metadata.name",
                    "\"" + Metadata.name(definition) + "\"",
                    "must be spec.names.plural+\".\"+spec.group"));
        }
        if (Json.textAt(spec, "names", "kind").isEmpty()) {
            errors.add(FieldError.required("spec.names.kind", ""));
        }
        if (!SCOPES.contains(Json.textAt(spec, "scope"))) {
            errors.add(
                    FieldError.unsupported("spec.scope", spec.path("scope").toString(), "\"Cluster\", \"Namespaced\""));
        }
        if (current != null && !current.path("spec").path("scope").equals(spec.path("scope"))) {
            errors.add(FieldError.invalid("spec.scope", spec.path("scope").toString(), "field is immutable"));
        }
        boolean shared = haveOneSchema(spec.path("versions"));
        int storage = 0;
        for (int i = 0; i < spec.path("versions").size(); i++) {
            JsonNode version = spec.path("versions").path(i);
            storage += version.path("storage").asBoolean(false) ? 1 : 0;
            String path = "spec.versions[" + i + "]";
            if (i == 0 || !shared) {
                checkSchema(version, shared ? "spec.validation" : path + ".schema", errors);
            }
            checkColumns(version, path, errors);
        }
        if (storage != 1) {
            errors.add(FieldError.invalid(
                    "spec.versions", "\"array\"", "must have exactly one version marked as storage version"));
        }
    }

    /** The real server keeps a schema that all versions have in one place, and calls it after that. */
    private static boolean haveOneSchema(JsonNode versions) {
        JsonNode first = versions.path(0).path("schema");
        for (JsonNode version : versions) {
            if (version.path("schema").isMissingNode()
                    || !version.path("schema").equals(first)) {
                return false;
            }
        }
        return true;
    }

    private static void checkSchema(JsonNode version, String path, List<FieldError> errors) {
        String at = path + ".openAPIV3Schema";
        if (Json.at(version, "schema", "openAPIV3Schema") instanceof ObjectNode schema) {
            DefinitionSchema.check(schema, at, errors);
        } else {
            errors.add(FieldError.required(at, "schemas are required"));
        }
    }

    private static void checkColumns(JsonNode version, String path, List<FieldError> errors) {
        JsonNode columns = version.path("additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            try {
                JsonPath.compile(columns.path(i).path("jsonPath").asText());
            } catch (IllegalArgumentException e) {
                String column = path + ".additionalPrinterColumns[" + i + "].jsonPath";
                errors.add(FieldError.invalid(
                        column, columns.path(i).path("jsonPath").toString(), String.valueOf(e.getMessage())));
            }
        }
    }
}
