/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.util.Map;

/** JSON merge patch, RFC 7386: objects merge, null removes, all else replaces. */
public final class MergePatch {

    private MergePatch() {}

    /** A new node; neither argument changes. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            if (change.getValue().isNull()) {
                result.remove(change.getKey());
            } else {
                JsonNode before = result.get(change.getKey());
                result.set(change.getKey(), apply(before == null ? Json.object() : before, change.getValue()));
            }
        }
        return result;
    }
}
