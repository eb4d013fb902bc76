/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.ObjectDeletion;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects whose owners are all gone, and finishes foreground and orphaning deletes. Its two indexes follow the
 * changes, so that nothing is ever searched for. They may be behind the store: what becomes of an object is decided
 * where they have come to its last change, because only then they have all that was there before it. Used by one
 * thread.
 */
final class GarbageCollector {

    private record Place(String storageKey, String namespace, String name, String version) {}

    private final ResourceRegistry registry;
    private final ApiObjects store;
    private final Objects objects;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Set<String>> dependents = new HashMap<>();

    GarbageCollector(ResourceRegistry registry, ApiObjects store, Objects objects) {
        this.registry = registry;
        this.store = store;
        this.objects = objects;
    }

    void onChange(StoredChange change) {
        if (change.before() != null) {
            forgetOwners(change.before());
        }
        ObjectNode after = change.after();
        String uid = Metadata.uid(change.last());
        if (after == null) {
            places.remove(uid);
            List.copyOf(dependents.getOrDefault(uid, Set.of())).forEach(this::collectIfOrphaned);
            Metadata.ownerReferences(change.last())
                    .forEach(owner -> finish(owner.path("uid").asText()));
            return;
        }
        places.put(
                uid,
                new Place(
                        change.storageKey(),
                        Metadata.namespace(after),
                        Metadata.name(after),
                        Metadata.resourceVersion(after)));
        for (ObjectNode owner : Metadata.ownerReferences(after)) {
            dependents
                    .computeIfAbsent(owner.path("uid").asText(), key -> new HashSet<>())
                    .add(uid);
        }
        if (!Metadata.ownerReferences(after).isEmpty()) {
            collectIfOrphaned(uid);
        }
        finish(uid);
    }

    private void forgetOwners(ObjectNode object) {
        for (ObjectNode owner : Metadata.ownerReferences(object)) {
            String ownerUid = owner.path("uid").asText();
            Set<String> known = dependents.get(ownerUid);
            if (known != null && known.remove(Metadata.uid(object)) && known.isEmpty()) {
                dependents.remove(ownerUid);
            }
        }
    }

    private void collectIfOrphaned(String uid) {
        ObjectNode object = indexed(uid);
        if (object == null || Metadata.isDeleting(object)) {
            return;
        }
        List<ObjectNode> owners = Metadata.ownerReferences(object);
        boolean hasOwner = owners.stream()
                .anyMatch(owner -> places.containsKey(owner.path("uid").asText()));
        if (!owners.isEmpty() && !hasOwner) {
            delete(uid, "Background");
        }
    }

    /** Goes on with a foreground or orphaning delete of the object. */
    private void finish(String uid) {
        ObjectNode object = indexed(uid);
        if (object == null || !Metadata.isDeleting(object)) {
            return;
        }
        if (Metadata.finalizers(object).contains(ObjectDeletion.ORPHAN)) {
            List.copyOf(dependents.getOrDefault(uid, Set.of())).forEach(dependent -> removeOwner(dependent, uid));
            removeFinalizer(uid, ObjectDeletion.ORPHAN);
        } else if (Metadata.finalizers(object).contains(ObjectDeletion.FOREGROUND)) {
            if (!deleteDependents(uid)) {
                removeFinalizer(uid, ObjectDeletion.FOREGROUND);
            }
        }
    }

    /** False when none is left that holds its owner. */
    private boolean deleteDependents(String uid) {
        boolean isHeld = false;
        for (String dependent : List.copyOf(dependents.getOrDefault(uid, Set.of()))) {
            ObjectNode object = current(dependent);
            if (object == null) {
                continue;
            }
            isHeld |= Metadata.ownerReferences(object).stream()
                    .anyMatch(owner -> owner.path("uid").asText().equals(uid)
                            && owner.path("blockOwnerDeletion").asBoolean(false));
            if (!Metadata.isDeleting(object)) {
                delete(dependent, dependents.containsKey(dependent) ? "Foreground" : "Background");
            }
        }
        return isHeld;
    }

    private void delete(String uid, String propagation) {
        Place place = places.get(uid);
        ResourceType type = place == null ? null : type(place);
        if (place == null || type == null) {
            return;
        }
        DeleteOptions options = new DeleteOptions(false, OptionalLong.empty(), propagation, uid, "");
        ignoreGone(() -> objects.delete(type, place.namespace(), place.name(), options));
    }

    private void removeOwner(String dependent, String owner) {
        change(dependent, object -> {
            if (object.path("metadata").get("ownerReferences") instanceof ArrayNode owners) {
                owners.removeIf(reference -> reference.path("uid").asText().equals(owner));
                if (owners.isEmpty()) {
                    Metadata.of(object).remove("ownerReferences");
                }
            }
        });
    }

    private void removeFinalizer(String uid, String finalizer) {
        change(uid, object -> {
            List<String> left = new ArrayList<>(Metadata.finalizers(object));
            left.remove(finalizer);
            Metadata.setFinalizers(object, left);
        });
    }

    private void change(String uid, Consumer<ObjectNode> edit) {
        Place place = places.get(uid);
        ResourceType type = place == null ? null : type(place);
        if (place == null || type == null) {
            return;
        }
        ignoreGone(() -> objects.modify(
                type,
                place.namespace(),
                place.name(),
                "",
                current -> {
                    ObjectNode next = current.deepCopy();
                    edit.accept(next);
                    return next;
                },
                WriteOptions.internal()));
    }

    private static void ignoreGone(Runnable action) {
        try {
            action.run();
        } catch (ApiException e) {
            if (e.code() != 404 && e.code() != 409) {
                throw e;
            }
        }
    }

    /** Null also where the object has changed since, which is still to come. */
    private @Nullable ObjectNode indexed(String uid) {
        Place place = places.get(uid);
        ObjectNode found = current(uid);
        return place != null && found != null && Metadata.resourceVersion(found).equals(place.version()) ? found : null;
    }

    private @Nullable ObjectNode current(String uid) {
        Place place = places.get(uid);
        ObjectNode found = place == null ? null : store.get(place.storageKey(), place.namespace(), place.name());
        return found != null && Metadata.uid(found).equals(uid) ? found : null;
    }

    private @Nullable ResourceType type(Place place) {
        return registry.all().stream()
                .filter(type -> type.storageKey().equals(place.storageKey()))
                .findFirst()
                .orElse(null);
    }
}
