/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.store.ApiObjects;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How objects go: at once when nothing holds them, otherwise marked by {@code deletionTimestamp} until the last
 * finalizer is removed and, for a pod that runs, until its node says so by a delete without grace.
 */
public final class ObjectDeletion {

    public static final String FOREGROUND = "foregroundDeletion";
    public static final String ORPHAN = "orphan";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final ApiObjects store;

    public ObjectDeletion(ApiObjects store) {
        this.store = store;
    }

    /**
     * An object that is marked for deletion and held by nothing any more; a pod's node holds it until it deletes it
     * without grace.
     */
    boolean isDone(ObjectNode object) {
        return Metadata.isDeleting(object)
                && Metadata.finalizers(object).isEmpty()
                && !(isNamespace(object) && Json.at(object, "spec", "finalizers") != null)
                && graceOf(object) == 0;
    }

    /** Null when somebody else changed the object meanwhile. */
    @Nullable
    ObjectNode delete(ResourceType type, ObjectNode stored, DeleteOptions options) {
        checkPreconditions(type, stored, options);
        ObjectNode next = stored.deepCopy();
        addPropagation(next, options);
        mark(next, options);
        boolean isDone = isDone(next);
        if (options.dryRun() || next.equals(stored)) {
            return isDone ? success(type, stored) : Versions.fromStored(type, next);
        }
        if (isDone) {
            return store.remove(type.storageKey(), stored, next) == null ? null : success(type, stored);
        }
        Metadata.of(next).put("generation", Metadata.of(next).path("generation").asLong(0) + 1);
        ObjectNode written = store.replace(type.storageKey(), stored, next);
        return written == null ? null : Versions.fromStored(type, written);
    }

    private static void checkPreconditions(ResourceType type, ObjectNode stored, DeleteOptions options) {
        String name = Metadata.name(stored);
        if (!options.uid().isEmpty() && !options.uid().equals(Metadata.uid(stored))) {
            throw ApiException.conflict(
                    type,
                    name,
                    "Precondition failed: UID in precondition: " + options.uid() + ", UID in object meta: "
                            + Metadata.uid(stored));
        }
        String version = Metadata.resourceVersion(stored);
        if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
            throw ApiException.conflict(
                    type,
                    name,
                    "Precondition failed: ResourceVersion in precondition: " + options.resourceVersion()
                            + ", ResourceVersion in object meta: " + version);
        }
    }

    private static void addPropagation(ObjectNode object, DeleteOptions options) {
        String wanted =
                switch (options.propagation()) {
                    case "Foreground" -> FOREGROUND;
                    case "Orphan" -> ORPHAN;
                    default -> "";
                };
        if (wanted.isEmpty() && options.propagation().isEmpty()) {
            return;
        }
        List<String> finalizers = new ArrayList<>(Metadata.finalizers(object));
        finalizers.remove(FOREGROUND);
        finalizers.remove(ORPHAN);
        if (!wanted.isEmpty()) {
            finalizers.add(wanted);
        }
        Metadata.setFinalizers(object, finalizers);
    }

    private static void mark(ObjectNode object, DeleteOptions options) {
        long grace = isRunningPod(object) ? options.gracePeriodSeconds().orElse(specifiedGrace(object)) : 0;
        ObjectNode metadata = Metadata.of(object);
        if (Metadata.isDeleting(object) && graceOf(object) <= grace) {
            return;
        }
        metadata.put(
                "deletionTimestamp",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        if (isNamespace(object)) {
            Json.ensure(object, "status").put("phase", "Terminating");
        }
    }

    private static boolean isNamespace(ObjectNode object) {
        return object.path("kind").asText().equals("Namespace")
                && object.path("apiVersion").asText().equals("v1");
    }

    /** A pod that a node is responsible for: only the node knows when its processes have ended. */
    private static boolean isRunningPod(ObjectNode object) {
        return object.path("kind").asText().equals("Pod")
                && object.path("apiVersion").asText().equals("v1")
                && !Json.textAt(object, "spec", "nodeName").isEmpty()
                && !ENDED.contains(Json.textAt(object, "status", "phase"));
    }

    private static long specifiedGrace(ObjectNode pod) {
        return pod.path("spec").path("terminationGracePeriodSeconds").asLong(30);
    }

    private static long graceOf(ObjectNode object) {
        return object.path("metadata").path("deletionGracePeriodSeconds").asLong(0);
    }

    private static ObjectNode success(ResourceType type, ObjectNode stored) {
        ObjectNode status = Json.object();
        status.put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        ObjectNode details = status.putObject("details");
        details.put("name", Metadata.name(stored));
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        details.put("kind", type.plural()).put("uid", Metadata.uid(stored));
        return status;
    }
}
