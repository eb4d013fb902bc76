/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.NameRules;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.model.ScalePaths;
import dev.ratchet.local.apiserver.patch.FieldManager;
import dev.ratchet.local.apiserver.schema.CelValidator;
import dev.ratchet.local.apiserver.schema.SchemaDefaults;
import dev.ratchet.local.apiserver.schema.SchemaPruner;
import dev.ratchet.local.apiserver.schema.SchemaValidator;
import dev.ratchet.local.apiserver.store.ApiObjects;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes of what a client sent what may be stored, or refuses it: identity, unknown fields, defaults, the rules of the
 * kind, validation. Stores nothing.
 */
public final class RequestAdmission {

    private static final String NAME_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int MAXIMUM_GENERATED_PREFIX = 58;
    private static final List<String> FIXED_METADATA = List.of(
            "uid",
            "creationTimestamp",
            "selfLink",
            "generation",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "managedFields",
            "namespace",
            "generateName",
            "resourceVersion");

    private static final Set<String> KEEPS_NULLS = Set.of("ControllerRevision", "CustomResourceDefinition");

    private static final String RULES_NOT_CHECKED = "some validation rules were not checked because the object was "
            + "invalid; correct the existing errors to complete validation";

    private final ApiObjects store;
    private final KindRules rules;
    private final SecureRandom random = new SecureRandom();

    public RequestAdmission(ApiObjects store, KindRules rules) {
        this.store = store;
        this.rules = rules;
    }

    ObjectNode prepareCreate(ResourceType type, String namespace, ObjectNode sent, WriteOptions options) {
        checkIdentity(type, namespace, sent);
        ObjectNode object = sent.deepCopy();
        object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        ObjectNode metadata = Metadata.of(object);
        if (!metadata.path("resourceVersion").asText("").isEmpty()) {
            throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
        }
        generateName(metadata);
        checkNamespace(type, namespace, Metadata.name(object));
        metadata.remove(List.of(
                "resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"));
        if (type.namespaced()) {
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
        metadata.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", Metadata.now());
        if (type.has("status")) {
            object.remove("status");
        }
        prune(type, object, options);
        SchemaDefaults.apply(type.schema(), object);
        rules.onCreate(type, object);
        if (type.custom() || object.has("spec")) {
            metadata.put("generation", 1L);
        }
        validate(type, object, null);
        return object;
    }

    ObjectNode prepareUpdate(
            ResourceType type, String subresource, ObjectNode current, ObjectNode sent, WriteOptions options) {
        checkIdentity(type, Metadata.namespace(current), sent);
        checkVersion(type, current, sent);
        ObjectNode object = sent.deepCopy();
        object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        prune(type, object, options);
        ObjectNode next = combine(type, subresource, current, object);
        SchemaDefaults.apply(type.schema(), next);
        rules.onUpdate(type, subresource, current, next);
        if (!withoutStatus(type, next).equals(withoutStatus(type, current))
                && current.path("metadata").has("generation")) {
            Metadata.of(next)
                    .put(
                            "generation",
                            current.path("metadata").path("generation").asLong() + 1);
        }
        if (!next.equals(current)) {
            validate(type, next, current);
        }
        return next;
    }

    /** The configuration of a server-side apply, checked. */
    ObjectNode prepareApply(ResourceType type, String namespace, String name, ObjectNode configuration) {
        checkIdentity(type, namespace, configuration);
        ObjectNode applied = FieldManager.withoutNulls(configuration);
        if (applied.path("metadata").has("managedFields")) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        String sentName = Metadata.name(applied);
        if (!sentName.isEmpty() && !sentName.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + sentName + ") does not match the name on the URL (" + name + ")");
        }
        List<String> unknown = new ArrayList<>();
        SchemaPruner.prune(type.schema(), applied.deepCopy(), "", unknown);
        if (!unknown.isEmpty()) {
            String where = (namespace.isEmpty() ? "/" : namespace + "/") + name;
            throw ApiException.internal("failed to create typed patch object (" + where + "; " + type.apiVersion()
                    + ", Kind=" + type.kind() + "): ." + unknown.get(0) + ": field not declared in schema");
        }
        ObjectNode metadata = Metadata.of(applied);
        metadata.put("name", name);
        return applied;
    }

    /**
     * What changes and what stays when {@code sent} is written through the object itself or through one of its
     * subresources.
     */
    private static ObjectNode combine(ResourceType type, String subresource, ObjectNode current, ObjectNode sent) {
        ObjectNode next;
        if (subresource.equals("status")) {
            next = current.deepCopy();
            JsonNode status = sent.get("status");
            if (status == null) {
                next.remove("status");
            } else {
                next.set("status", status);
            }
            if (!type.custom()) {
                copyLabels(sent, next);
            }
            return next;
        }
        next = sent;
        if (type.has("status")) {
            JsonNode status = current.get("status");
            if (status == null) {
                next.remove("status");
            } else {
                next.set("status", status.deepCopy());
            }
        }
        ObjectNode metadata = Metadata.of(next);
        metadata.put("name", Metadata.name(current));
        for (String field : FIXED_METADATA) {
            JsonNode fixed = current.path("metadata").get(field);
            if (fixed == null) {
                metadata.remove(field);
            } else {
                metadata.set(field, fixed);
            }
        }
        return next;
    }

    private static void copyLabels(ObjectNode sent, ObjectNode next) {
        for (String field : List.of("labels", "annotations")) {
            JsonNode value = sent.path("metadata").get(field);
            if (value != null) {
                Metadata.of(next).set(field, value);
            }
        }
    }

    private static ObjectNode withoutStatus(ResourceType type, ObjectNode object) {
        ObjectNode copy = Json.object();
        copy.setAll(object);
        copy.remove("metadata");
        if (type.has("status") || !type.custom()) {
            copy.remove("status");
        }
        return copy;
    }

    private static void checkIdentity(ResourceType type, String namespace, ObjectNode object) {
        String apiVersion = object.path("apiVersion").asText("");
        String kind = object.path("kind").asText("");
        if (!apiVersion.isEmpty() && !apiVersion.equals(type.apiVersion())) {
            throw ApiException.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + type.apiVersion() + ")");
        }
        if (!kind.isEmpty() && !kind.equals(type.kind())) {
            throw ApiException.badRequest(
                    "the kind in the data (" + kind + ") does not match the expected kind (" + type.kind() + ")");
        }
        String sentNamespace = Metadata.namespace(object);
        if (type.namespaced() && !sentNamespace.isEmpty() && !sentNamespace.equals(namespace)) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static void checkVersion(ResourceType type, ObjectNode current, ObjectNode sent) {
        String version = Metadata.resourceVersion(sent);
        String name = Metadata.name(current);
        if (!version.isEmpty() && !version.equals(Metadata.resourceVersion(current))) {
            throw ApiException.conflict(
                    type,
                    name,
                    "the object has been modified; please apply your changes to the latest version and try again");
        }
        String uid = Metadata.uid(sent);
        if (!uid.isEmpty() && !uid.equals(Metadata.uid(current))) {
            throw ApiException.conflict(
                    type,
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + Metadata.uid(current));
        }
    }

    private void generateName(ObjectNode metadata) {
        String prefix = metadata.path("generateName").asText("");
        if (!metadata.path("name").asText("").isEmpty() || prefix.isEmpty()) {
            return;
        }
        StringBuilder name =
                new StringBuilder(prefix.substring(0, Math.min(prefix.length(), MAXIMUM_GENERATED_PREFIX)));
        for (int i = 0; i < 5; i++) {
            name.append(NAME_CHARACTERS.charAt(random.nextInt(NAME_CHARACTERS.length())));
        }
        metadata.put("name", name.toString());
    }

    private void checkNamespace(ResourceType type, String namespace, String name) {
        if (!type.namespaced()) {
            return;
        }
        ObjectNode found = store.get("/namespaces", "", namespace);
        if (found == null) {
            throw ApiException.notFound(rules.namespaces(), namespace);
        }
        if (Metadata.isDeleting(found)) {
            throw ApiException.namespaceTerminating(type, name, namespace);
        }
    }

    private static void prune(ResourceType type, ObjectNode object, WriteOptions options) {
        dropNulls(type, object);
        List<String> unknown = new ArrayList<>();
        SchemaPruner.prune(type.schema(), object, "", unknown);
        if (unknown.isEmpty() || options.validation().equals("Ignore")) {
            return;
        }
        List<String> words =
                unknown.stream().map(path -> "unknown field \"" + path + "\"").toList();
        if (options.validation().equals("Strict")) {
            throw ApiException.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": strict decoding error: " + String.join(", ", words));
        }
        options.warnings().addAll(words);
    }

    /** Null says nothing in metadata and in built-in kinds; data that nobody here knows stays as it is. */
    private static void dropNulls(ResourceType type, ObjectNode object) {
        if (object.get("metadata") instanceof ObjectNode metadata) {
            dropNulls(metadata);
        }
        if (!type.custom() && !KEEPS_NULLS.contains(type.kind())) {
            dropNulls(object);
        }
    }

    private static void dropNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
        }
        node.forEach(RequestAdmission::dropNulls);
    }

    private static void checkScale(ResourceType type, ObjectNode object, List<FieldError> errors) {
        ScalePaths scale = type.scale();
        JsonNode replicas = scale == null ? null : Json.at(object, scale.specReplicas());
        if (scale == null || replicas == null) {
            return;
        }
        String path = "." + String.join(".", scale.specReplicas());
        if (!replicas.isIntegralNumber()) {
            String found = replicas.getNodeType().name().toLowerCase(Locale.ROOT);
            errors.add(FieldError.invalid(
                    path,
                    "0",
                    path + " accessor error: " + replicas.asText() + " is of the type " + found + ", expected int64"));
        } else if (replicas.asLong() < 0) {
            errors.add(FieldError.invalid(path, replicas.asText(), "should be a non-negative integer"));
        }
    }

    private void validate(ResourceType type, ObjectNode object, @Nullable ObjectNode current) {
        List<FieldError> errors = new ArrayList<>();
        SchemaValidator.validate(type.schema(), object, "", errors);
        if (!type.custom() && !errors.isEmpty()) {
            throw ApiException.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": " + errors.get(0).message());
        }
        if (type.verbs().contains("get")) {
            NameRules.check(type, object, errors);
        }
        rules.validate(type, object, current, errors);
        if (type.custom()) {
            checkScale(type, object, errors);
        }
        if (errors.stream().noneMatch(FieldError::blocksRules)) {
            CelValidator.validate(type.schema(), object, current, "", errors);
        } else if (type.custom() && CelValidator.hasRules(type.schema())) {
            errors.add(FieldError.invalid("", "null", RULES_NOT_CHECKED));
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid(type, Metadata.name(object), errors);
        }
    }
}
