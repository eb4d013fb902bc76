/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.model.ResourceType;
import java.util.Map;

/**
 * Between a kind's versions: stored objects have the field names of one of them. Objects of one version are passed on
 * as they are, not copied.
 */
public final class Versions {

    private Versions() {}

    /** {@code stored} in the version of {@code type}. Do not change the result. */
    public static ObjectNode fromStored(ResourceType type, ObjectNode stored) {
        if (stored.path("apiVersion").asText().equals(type.apiVersion())) {
            return stored;
        }
        ObjectNode result = stored.deepCopy();
        result.put("apiVersion", type.apiVersion());
        // The core Event is the stored form: seen from another version its names are the short ones of the table.
        for (Map.Entry<String, String> rename : type.renames().entrySet()) {
            rename(result, rename.getValue(), rename.getKey());
        }
        return result;
    }

    /** {@code object} as it is stored. */
    public static ObjectNode toStored(ResourceType type, ObjectNode object) {
        if (type.renames().isEmpty()) {
            return object;
        }
        ObjectNode result = object.deepCopy();
        for (Map.Entry<String, String> rename : type.renames().entrySet()) {
            rename(result, rename.getKey(), rename.getValue());
        }
        result.put("apiVersion", "v1");
        return result;
    }

    private static void rename(ObjectNode object, String from, String to) {
        JsonNode value = object.remove(from);
        if (value != null) {
            object.set(to, value);
        }
    }
}
