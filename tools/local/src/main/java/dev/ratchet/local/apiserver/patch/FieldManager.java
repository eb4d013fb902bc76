/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Server-side apply and the field ownership that it rests on. Invariant: a field that a manager owns is set in the
 * object; a manager loses a field when somebody else changes or removes it.
 */
public final class FieldManager {

    private static final List<String> SERVER_METADATA = List.of(
            "name",
            "namespace",
            "generateName",
            "creationTimestamp",
            "selfLink",
            "uid",
            "generation",
            "managedFields",
            "resourceVersion",
            "deletionTimestamp",
            "deletionGracePeriodSeconds");

    private FieldManager() {}

    /** {@code live} as {@code manager} wants it; field ownership is recorded in the result by {@link #recordApply}. */
    public static ObjectNode apply(
            ResourceType type, ObjectNode live, ObjectNode applied, Manager manager, boolean force) {
        Schema schema = type.schema();
        ManagedFields managed = ManagedFields.of(live);
        FieldSet wanted = owned(type, applied, manager);
        ObjectNode merged = (ObjectNode) TypedFields.merge(schema, live, withoutServerMetadata(applied));
        FieldSet changed = TypedFields.changed(schema, live, merged).intersection(wanted);
        FieldSet others = new FieldSet();
        List<FieldError> conflicts = new ArrayList<>();
        for (Map.Entry<Manager, FieldSet> other : managed.others(manager).entrySet()) {
            FieldSet clash = other.getValue().intersection(changed);
            if (!clash.isEmpty() && !force) {
                addConflicts(other.getKey(), clash, conflicts);
            }
            others = others.union(other.getValue().minus(clash));
        }
        if (!conflicts.isEmpty()) {
            throw conflict(conflicts);
        }
        FieldSet gone = managed.of(manager).minus(wanted).minus(others);
        JsonNode left = TypedFields.remove(schema, merged, gone, wanted.union(others));
        return left instanceof ObjectNode object ? object : merged;
    }

    /** Records in {@code result} that {@code manager} applied {@code applied} to {@code live}. */
    public static void recordApply(
            ResourceType type, ObjectNode live, ObjectNode result, ObjectNode applied, Manager manager) {
        ManagedFields managed = ManagedFields.of(live);
        FieldSet changed = TypedFields.changed(type.schema(), live, result);
        FieldSet removed = TypedFields.removed(type.schema(), live, result);
        managed.others(manager)
                .forEach((other, fields) ->
                        managed.set(other, fields.minus(changed).minus(removed)));
        managed.set(manager, owned(type, applied, manager));
        managed.writeTo(result);
    }

    /**
     * Records in {@code after} that {@code manager} changed {@code before} to it; an empty {@code before} stands for a
     * create.
     */
    public static void recordUpdate(ResourceType type, ObjectNode before, ObjectNode after, Manager manager) {
        Schema schema = type.schema();
        ManagedFields managed = ManagedFields.of(before);
        FieldSet changed =
                stripped(type, TypedFields.changed(schema, before.isEmpty() ? null : before, after), manager);
        FieldSet removed = before.isEmpty() ? new FieldSet() : TypedFields.removed(schema, before, after);
        managed.others(manager)
                .forEach((other, fields) ->
                        managed.set(other, fields.minus(changed).minus(removed)));
        managed.set(manager, managed.of(manager).minus(removed).union(changed));
        managed.writeTo(after);
    }

    private static FieldSet owned(ResourceType type, ObjectNode applied, Manager manager) {
        return stripped(type, TypedFields.of(type.schema(), applied), manager);
    }

    /**
     * Without the fields that nobody can own: identity, what the server writes, and what this endpoint does not change.
     */
    private static FieldSet stripped(ResourceType type, FieldSet fields, Manager manager) {
        if (manager.subresource().equals("status")) {
            return fields.only("f:status");
        }
        FieldSet result = fields.without("f:apiVersion").without("f:kind");
        FieldSet metadata = result.child("f:metadata");
        if (metadata != null) {
            for (String name : SERVER_METADATA) {
                metadata = metadata.without("f:" + name);
            }
            result = result.with("f:metadata", metadata.isMember() ? new FieldSet() : metadata);
        }
        return type.has("status") ? result.without("f:status") : result;
    }

    private static ObjectNode withoutServerMetadata(ObjectNode applied) {
        ObjectNode copy = applied.deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SERVER_METADATA);
            if (metadata.isEmpty()) {
                copy.remove("metadata");
            }
        }
        return copy;
    }

    /** The configuration to apply without its nulls, which say nothing. */
    public static ObjectNode withoutNulls(ObjectNode applied) {
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> field : applied.properties()) {
            if (field.getValue() instanceof ObjectNode object) {
                result.set(field.getKey(), withoutNulls(object));
            } else if (!field.getValue().isNull()) {
                result.set(field.getKey(), field.getValue());
            }
        }
        return result;
    }

    private static void addConflicts(Manager owner, FieldSet fields, List<FieldError> conflicts) {
        String who = "conflict with \"" + owner.name() + "\""
                + (owner.subresource().isEmpty() ? "" : " with subresource \"" + owner.subresource() + "\"")
                + (owner.isApply() ? "" : " using " + owner.apiVersion());
        fields.paths().forEach(path -> conflicts.add(new FieldError(path, "FieldManagerConflict", who)));
    }

    private static ApiException conflict(List<FieldError> conflicts) {
        int count = conflicts.size();
        StringBuilder message =
                new StringBuilder("Apply failed with " + count + (count == 1 ? " conflict: " : " conflicts: "));
        String owner = "";
        for (FieldError conflict : conflicts) {
            if (!conflict.detail().equals(owner)) {
                owner = conflict.detail();
                message.append(message.charAt(message.length() - 1) == ' ' ? "" : "\n");
                message.append(count == 1 ? owner : owner.replaceFirst("^conflict ", "conflicts "))
                        .append(':');
            }
            message.append(count == 1 ? " " : "\n- ").append(conflict.path());
        }
        return ApiException.applyConflict(message.toString(), conflicts);
    }
}
