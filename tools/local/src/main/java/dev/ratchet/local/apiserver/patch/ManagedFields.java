/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code metadata.managedFields} of one object: which manager owns which fields since when. */
final class ManagedFields {

    private record Entry(FieldSet fields, String time) {}

    private final Map<Manager, Entry> entries = new LinkedHashMap<>();

    static ManagedFields of(JsonNode object) {
        ManagedFields managed = new ManagedFields();
        JsonNode list = Json.at(object, "metadata", "managedFields");
        if (list != null) {
            for (JsonNode entry : list) {
                Manager manager = new Manager(
                        entry.path("manager").asText(),
                        entry.path("operation").asText(),
                        entry.path("apiVersion").asText(),
                        entry.path("subresource").asText(""));
                managed.entries.put(
                        manager,
                        new Entry(
                                FieldSet.fromJson(entry.get("fieldsV1")),
                                entry.path("time").asText("")));
            }
        }
        return managed;
    }

    FieldSet of(Manager manager) {
        Entry entry = entries.get(manager);
        return entry == null ? new FieldSet() : entry.fields();
    }

    Map<Manager, FieldSet> others(Manager manager) {
        Map<Manager, FieldSet> found = new LinkedHashMap<>();
        entries.forEach((other, entry) -> {
            if (!other.equals(manager)) {
                found.put(other, entry.fields());
            }
        });
        return found;
    }

    /** Sets what a manager owns; one that owns nothing has no entry. The time changes only when the fields do. */
    void set(Manager manager, FieldSet fields) {
        Entry before = entries.get(manager);
        if (fields.isEmpty()) {
            entries.remove(manager);
        } else if (before == null || !before.fields().equals(fields)) {
            entries.put(manager, new Entry(fields, Metadata.now()));
        }
    }

    void writeTo(ObjectNode object) {
        ObjectNode metadata = Metadata.of(object);
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        ArrayNode list = metadata.putArray("managedFields");
        entries.forEach((manager, entry) -> {
            ObjectNode node = list.addObject();
            node.put("apiVersion", manager.apiVersion()).put("fieldsType", "FieldsV1");
            node.set("fieldsV1", entry.fields().toJson());
            node.put("manager", manager.name()).put("operation", manager.operation());
            if (!manager.subresource().isEmpty()) {
                node.put("subresource", manager.subresource());
            }
            node.put("time", entry.time());
        });
    }
}
