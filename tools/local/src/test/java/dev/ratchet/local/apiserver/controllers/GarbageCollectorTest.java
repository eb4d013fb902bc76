/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.ResourceType;
import dev.ratchet.local.apiserver.objects.DeleteOptions;
import dev.ratchet.local.apiserver.objects.KindRules;
import dev.ratchet.local.apiserver.objects.ObjectDeletion;
import dev.ratchet.local.apiserver.objects.Objects;
import dev.ratchet.local.apiserver.objects.RequestAdmission;
import dev.ratchet.local.apiserver.objects.ServiceAddresses;
import dev.ratchet.local.apiserver.objects.WriteOptions;
import dev.ratchet.local.apiserver.registry.ResourceRegistry;
import dev.ratchet.local.apiserver.store.ApiObjects;
import dev.ratchet.local.apiserver.store.StoredChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A garbage collector that looks at changes long after they were made. */
class GarbageCollectorTest {

    private final ResourceRegistry registry = new ResourceRegistry();
    private final ApiObjects store = new ApiObjects(1_000);
    private final Objects objects = new Objects(
            store,
            new RequestAdmission(
                    store, new KindRules(new ServiceAddresses("test"), registry.builtin("", "namespaces"))),
            new ObjectDeletion(store));
    private final GarbageCollector collector = new GarbageCollector(registry, store, objects);
    private final ResourceType configMaps = registry.builtin("", "configmaps");
    private final Deque<StoredChange> changes = new ArrayDeque<>();

    GarbageCollectorTest() {
        store.listen(changes::add);
        ObjectNode namespace = Json.object();
        namespace.putObject("metadata").put("name", "default");
        objects.create(registry.builtin("", "namespaces"), "", namespace, WriteOptions.internal());
    }

    @Test
    void anOwnerStaysForADependentWhoseChangeIsStillToBeLookedAt() {
        ObjectNode owner = create("owner", null);
        create("dependent", owner);
        objects.delete(
                configMaps, "default", "owner", new DeleteOptions(false, OptionalLong.empty(), "Foreground", "", ""));

        lookAtAll();

        assertThat(isThere("dependent"))
                .as("the dependent, which a finalizer holds")
                .isTrue();
        assertThat(isThere("owner")).as("its owner").isTrue();
        removeFinalizers("dependent");
        lookAtAll();
        assertThat(isThere("dependent")).isFalse();
        assertThat(isThere("owner")).isFalse();
    }

    @Test
    void anObjectStaysWhoseOwnerWasMadeAfterIt() {
        ObjectNode former = create("former", null);
        create("dependent", former);
        ObjectNode later = create("later", null);
        objects.modify(
                configMaps,
                "default",
                "dependent",
                "",
                current -> {
                    ObjectNode next = current.deepCopy();
                    Metadata.of(next).remove("ownerReferences");
                    own(next, later);
                    return next;
                },
                WriteOptions.internal());
        objects.delete(configMaps, "default", "former", DeleteOptions.background());

        lookAtAll();

        assertThat(Metadata.isDeleting(objects.get(configMaps, "default", "dependent")))
                .isFalse();
    }

    private void lookAtAll() {
        while (!changes.isEmpty()) {
            collector.onChange(changes.remove());
        }
    }

    private ObjectNode create(String name, @Nullable ObjectNode owner) {
        ObjectNode object = Json.object();
        object.putObject("metadata").put("name", name);
        if (owner != null) {
            own(object, owner);
            Metadata.of(object).putArray("finalizers").add("ratchet.dev/test");
        }
        return objects.create(configMaps, "default", object, WriteOptions.internal());
    }

    private static void own(ObjectNode object, ObjectNode owner) {
        Metadata.of(object)
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put("name", Metadata.name(owner))
                .put("uid", Metadata.uid(owner))
                .put("blockOwnerDeletion", true);
    }

    private void removeFinalizers(String name) {
        objects.modify(
                configMaps,
                "default",
                name,
                "",
                current -> {
                    ObjectNode next = current.deepCopy();
                    Metadata.of(next).remove("finalizers");
                    return next;
                },
                WriteOptions.internal());
    }

    private boolean isThere(String name) {
        return store.get(configMaps.storageKey(), "default", name) != null;
    }
}
