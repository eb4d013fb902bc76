/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.patch.FieldManager;
import dev.ratchet.local.apiserver.patch.Manager;
import dev.ratchet.local.apiserver.store.ApiObjects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The writes and single reads of objects. A write reads the object, computes the new one without any lock, and replaces
 * the very object it read; when somebody else was faster it starts again, unless the client named the version it means.
 */
public final class Objects {

    private static final int MAXIMUM_TRIES = 100;

    private final ApiObjects store;
    private final RequestAdmission admission;
    private final ObjectDeletion deletion;

    public Objects(ApiObjects store, RequestAdmission admission, ObjectDeletion deletion) {
        this.store = store;
        this.admission = admission;
        this.deletion = deletion;
    }

    /**
     * The object as it is now. Do not change it.
     *
     * @throws ApiException 404 when there is none of that name
     */
    public ObjectNode get(ResourceType type, String namespace, String name) {
        ObjectNode stored = store.get(type.storageKey(), namespace, name);
        if (stored == null) {
            throw ApiException.notFound(type, name);
        }
        return Versions.fromStored(type, stored);
    }

    public ObjectNode create(ResourceType type, String namespace, ObjectNode object, WriteOptions options) {
        ObjectNode fresh = admission.prepareCreate(type, namespace, object, options);
        FieldManager.recordUpdate(
                type, Json.object(), fresh, new Manager(options.manager(), "Update", type.apiVersion(), ""));
        ObjectNode created = insert(type, fresh, options);
        if (created == null) {
            throw ApiException.alreadyExists(type, Metadata.name(fresh));
        }
        return created;
    }

    /** Null when there is an object of that name. */
    private @Nullable ObjectNode insert(ResourceType type, ObjectNode fresh, WriteOptions options) {
        ObjectNode stored = Versions.toStored(type, fresh);
        if (!type.verbs().contains("get")) {
            // A review is answered, not kept.
            return fresh;
        }
        if (options.dryRun()) {
            boolean exists = store.get(type.storageKey(), Metadata.namespace(stored), Metadata.name(stored)) != null;
            return exists ? null : fresh;
        }
        ObjectNode created = store.create(type.storageKey(), stored);
        return created == null ? null : Versions.fromStored(type, created);
    }

    /** Replaces an object, or one subresource of it, by what the client sent. */
    public ObjectNode update(
            ResourceType type,
            String namespace,
            String name,
            String subresource,
            ObjectNode object,
            WriteOptions options) {
        String sentName = Metadata.name(object);
        if (!sentName.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + sentName + ") does not match the name on the URL (" + name + ")");
        }
        return modify(type, namespace, name, subresource, current -> object.deepCopy(), options);
    }

    /** Changes an object by a function of what it is now; the function may be called again with a newer one. */
    public ObjectNode modify(
            ResourceType type,
            String namespace,
            String name,
            String subresource,
            UnaryOperator<ObjectNode> change,
            WriteOptions options) {
        for (int tries = 0; tries < MAXIMUM_TRIES; tries++) {
            ObjectNode stored = store.get(type.storageKey(), namespace, name);
            if (stored == null) {
                throw ApiException.notFound(type, name);
            }
            ObjectNode current = Versions.fromStored(type, stored);
            ObjectNode sent = change.apply(current);
            ObjectNode next = admission.prepareUpdate(type, subresource, current, sent, options);
            FieldManager.recordUpdate(
                    type, current, next, new Manager(options.manager(), "Update", type.apiVersion(), subresource));
            ObjectNode written = commit(type, stored, current, next, options);
            if (written != null) {
                return written;
            }
        }
        throw ApiException.conflict(type, name, "the object is changed by others too often; try again");
    }

    /** Server-side apply: creates the object when there is none. {@code created} is told when that happens. */
    public ObjectNode apply(
            ResourceType type,
            String namespace,
            String name,
            String subresource,
            ObjectNode configuration,
            WriteOptions options,
            Runnable created) {
        ObjectNode applied = admission.prepareApply(type, namespace, name, configuration);
        Manager manager = new Manager(options.manager(), "Apply", type.apiVersion(), subresource);
        for (int tries = 0; tries < MAXIMUM_TRIES; tries++) {
            ObjectNode stored = store.get(type.storageKey(), namespace, name);
            if (stored == null) {
                if (!subresource.isEmpty()) {
                    throw ApiException.notFound(type, name);
                }
                ObjectNode fresh = admission.prepareCreate(type, namespace, applied, options);
                FieldManager.recordApply(type, Json.object(), fresh, applied, manager);
                ObjectNode result = insert(type, fresh, options);
                if (result == null) {
                    // Another apply made it meanwhile, for instance the same one, which a client sent again.
                    continue;
                }
                created.run();
                return result;
            }
            ObjectNode current = Versions.fromStored(type, stored);
            ObjectNode merged = FieldManager.apply(type, current, applied, manager, options.force());
            copyVersion(applied, merged);
            ObjectNode next = admission.prepareUpdate(type, subresource, current, merged, options);
            FieldManager.recordApply(type, current, next, applied, manager);
            ObjectNode written = commit(type, stored, current, next, options);
            if (written != null) {
                return written;
            }
        }
        throw ApiException.conflict(type, name, "the object is changed by others too often; try again");
    }

    private static void copyVersion(ObjectNode applied, ObjectNode merged) {
        String version = Metadata.resourceVersion(applied);
        if (!version.isEmpty()) {
            Metadata.of(merged).put("resourceVersion", version);
        }
    }

    /** Null when somebody else was faster. */
    private @Nullable ObjectNode commit(
            ResourceType type, ObjectNode stored, ObjectNode current, ObjectNode next, WriteOptions options) {
        if (next.equals(current) || options.dryRun()) {
            return next;
        }
        ObjectNode written = deletion.isDone(next)
                ? store.remove(type.storageKey(), stored, Versions.toStored(type, next))
                : store.replace(type.storageKey(), stored, Versions.toStored(type, next));
        return written == null ? null : Versions.fromStored(type, written);
    }

    /** What the client is told: the object while it goes, or a Status when it has gone. */
    public JsonNode delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        for (int tries = 0; tries < MAXIMUM_TRIES; tries++) {
            ObjectNode stored = store.get(type.storageKey(), namespace, name);
            if (stored == null) {
                throw ApiException.notFound(type, name);
            }
            ObjectNode answer = deletion.delete(type, stored, options);
            if (answer != null) {
                return answer;
            }
        }
        throw ApiException.conflict(type, name, "the object is changed by others too often; try again");
    }
}
