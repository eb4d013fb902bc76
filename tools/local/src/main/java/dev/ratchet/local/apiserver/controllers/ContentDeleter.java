/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.ApiException;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Empties what is being deleted and holds objects: a namespace, and a custom resource definition. Each goes when its
 * last object has gone, so an object with a finalizer holds it for as long as the finalizer stays. Used by one thread.
 */
final class ContentDeleter {

    private static final String NAMESPACES = "/namespaces";
    private static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";
    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private final ResourceRegistry registry;
    private final ApiObjects store;
    private final Objects objects;
    private final Set<String> endingNamespaces = new HashSet<>();
    private final Set<String> endingDefinitions = new HashSet<>();

    ContentDeleter(ResourceRegistry registry, ApiObjects store, Objects objects) {
        this.registry = registry;
        this.store = store;
        this.objects = objects;
    }

    void onChange(StoredChange change) {
        String name = Metadata.name(change.last());
        boolean isEnding = change.after() != null && Metadata.isDeleting(change.after());
        if (change.storageKey().equals(NAMESPACES)) {
            note(endingNamespaces, name, isEnding);
        } else if (change.storageKey().equals(DEFINITIONS)) {
            note(endingDefinitions, name, isEnding);
        }
        String namespace = Metadata.namespace(change.last());
        for (String ending : List.copyOf(endingNamespaces)) {
            if (ending.equals(namespace) || (isEnding && ending.equals(name))) {
                emptyNamespace(ending);
            }
        }
        for (String ending : List.copyOf(endingDefinitions)) {
            emptyDefinition(ending);
        }
    }

    private static void note(Set<String> set, String name, boolean isEnding) {
        if (isEnding) {
            set.add(name);
        } else {
            set.remove(name);
        }
    }

    private void emptyNamespace(String namespace) {
        boolean isEmpty = true;
        for (ResourceType type : registry.all()) {
            if (type.namespaced()) {
                isEmpty &= deleteAll(type, namespace);
            }
        }
        if (isEmpty) {
            ResourceType type = registry.builtin("", "namespaces");
            ignoreGone(() -> objects.modify(
                    type,
                    "",
                    namespace,
                    "finalize",
                    current -> {
                        ObjectNode next = current.deepCopy();
                        if (next.get("spec") instanceof ObjectNode spec) {
                            spec.remove("finalizers");
                        }
                        return next;
                    },
                    WriteOptions.internal()));
        }
    }

    private void emptyDefinition(String name) {
        boolean isEmpty = true;
        for (ResourceType type : registry.all()) {
            if (type.custom() && type.resource().equals(name)) {
                isEmpty &= deleteAll(type, "");
            }
        }
        if (isEmpty) {
            ResourceType type = registry.builtin("apiextensions.k8s.io", "customresourcedefinitions");
            ignoreGone(() -> objects.modify(
                    type,
                    "",
                    name,
                    "",
                    current -> {
                        ObjectNode next = current.deepCopy();
                        List<String> left = Metadata.finalizers(next).stream()
                                .filter(finalizer -> !finalizer.equals(CLEANUP))
                                .toList();
                        Metadata.setFinalizers(next, left);
                        return next;
                    },
                    WriteOptions.internal()));
        }
    }

    /** True when there was nothing to delete. */
    private boolean deleteAll(ResourceType type, String namespace) {
        List<ObjectNode> found = store.list(type.storageKey(), namespace).objects();
        for (ObjectNode object : found) {
            if (!Metadata.isDeleting(object)) {
                ignoreGone(() -> objects.delete(
                        type, Metadata.namespace(object), Metadata.name(object), DeleteOptions.background()));
            }
        }
        return found.isEmpty();
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
}
