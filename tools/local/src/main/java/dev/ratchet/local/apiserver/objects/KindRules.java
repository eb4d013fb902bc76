/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What single built-in kinds do beyond their schema. Each kind's rules are a few lines; pods, services and definitions
 * have classes of their own.
 */
public final class KindRules {

    private final ServiceAddresses addresses;
    private final ResourceType namespaces;

    public KindRules(ServiceAddresses addresses, ResourceType namespaces) {
        this.addresses = addresses;
        this.namespaces = namespaces;
    }

    ResourceType namespaces() {
        return namespaces;
    }

    void onCreate(ResourceType type, ObjectNode object) {
        if (type.custom()) {
            return;
        }
        fill(type, object);
        switch (type.kind()) {
            case "Namespace" -> {
                Metadata.of(object)
                        .withObjectProperty("labels")
                        .put("kubernetes.io/metadata.name", Metadata.name(object));
                Json.ensure(object, "spec").putArray("finalizers").add("kubernetes");
                Json.ensure(object, "status").put("phase", "Active");
            }
            case "Pod" -> PodRules.onCreate(object);
            case "Service" -> addresses.assign(object);
            case "PersistentVolumeClaim" -> Json.ensure(object, "status").put("phase", "Pending");
            case "PersistentVolume" -> Json.ensure(object, "status").put("phase", "Available");
            case "CustomResourceDefinition" -> DefinitionRules.onWrite(object);
            case "SelfSubjectAccessReview" -> Json.ensure(object, "status").put("allowed", true);
            default -> {}
        }
    }

    void onUpdate(ResourceType type, String subresource, ObjectNode current, ObjectNode next) {
        if (type.custom()) {
            return;
        }
        if (!subresource.equals("status")) {
            fill(type, next);
        }
        switch (type.kind()) {
            case "Service" -> addresses.keep(current, next);
            case "CustomResourceDefinition" -> DefinitionRules.onWrite(next);
            case "Namespace" -> {
                if (subresource.isEmpty() && current.has("spec")) {
                    next.set("spec", current.get("spec"));
                }
            }
            default -> {}
        }
    }

    void validate(ResourceType type, ObjectNode object, @Nullable ObjectNode current, List<FieldError> errors) {
        if (type.custom()) {
            return;
        }
        switch (type.kind()) {
            case "Pod" -> PodRules.validate(object, current, errors);
            case "CustomResourceDefinition" -> DefinitionRules.validate(object, current, errors);
            case "ControllerRevision" -> checkUnchanged(object, current, Set.of("data"), errors);
            case "ConfigMap" -> {
                if (current != null && current.path("immutable").asBoolean(false)) {
                    checkUnchanged(object, current, Set.of("data", "binaryData", "immutable"), errors);
                }
            }
            case "Secret" -> {
                checkUnchanged(object, current, Set.of("type"), errors);
                if (current != null && current.path("immutable").asBoolean(false)) {
                    checkUnchanged(object, current, Set.of("data", "immutable"), errors);
                }
            }
            case "RoleBinding", "ClusterRoleBinding" -> checkUnchanged(object, current, Set.of("roleRef"), errors);
            default -> {}
        }
    }

    /** Fields that are derived from others. */
    private static void fill(ResourceType type, ObjectNode object) {
        switch (type.kind()) {
            case "Secret" -> {
                JsonNode texts = object.remove("stringData");
                if (texts != null) {
                    ObjectNode data = Json.ensure(object, "data");
                    for (Map.Entry<String, JsonNode> entry : texts.properties()) {
                        byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                        data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
                    }
                }
            }
            case "Pod" -> PodRules.fill(object);
            default -> {}
        }
    }

    private static void checkUnchanged(
            ObjectNode object, @Nullable ObjectNode current, Set<String> fields, List<FieldError> errors) {
        if (current == null) {
            return;
        }
        for (String field : fields) {
            if (!object.path(field).equals(current.path(field))) {
                errors.add(FieldError.invalid(field, object.path(field).toString(), "field is immutable"));
            }
        }
    }
}
