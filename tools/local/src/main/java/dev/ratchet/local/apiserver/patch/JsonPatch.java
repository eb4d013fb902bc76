/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.FieldError;
import dev.ratchet.local.apiserver.model.ApiException;
import java.util.List;

/** JSON patch, RFC 6902: a list of operations that all happen or none. */
public final class JsonPatch {

    private static final int MAXIMUM_OPERATIONS = 10_000;

    private JsonPatch() {}

    /**
     * A new node; neither argument changes.
     *
     * @throws ApiException 400 when the patch is no patch, 422 when it does not fit the target
     */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ArrayNode operations)) {
            throw ApiException.badRequest("a JSON patch must be a list of operations");
        }
        if (operations.size() > MAXIMUM_OPERATIONS) {
            throw ApiException.badRequest("The allowed maximum operations in a JSON patch is " + MAXIMUM_OPERATIONS
                    + ", got " + operations.size());
        }
        JsonNode result = target.deepCopy();
        for (JsonNode operation : operations) {
            result = applyOne(result, operation);
        }
        return result;
    }

    private static JsonNode applyOne(JsonNode target, JsonNode operation) {
        String path = operation.path("path").asText("");
        switch (operation.path("op").asText("")) {
            case "add" -> {
                return add(target, path, value(operation));
            }
            case "replace" -> {
                find(target, path);
                return path.isEmpty() ? value(operation) : replace(target, path, value(operation));
            }
            case "remove" -> {
                find(target, path);
                remove(target, path);
                return target;
            }
            case "move" -> {
                JsonNode moved = find(target, operation.path("from").asText(""));
                remove(target, operation.path("from").asText(""));
                return add(target, path, moved);
            }
            case "copy" -> {
                return add(
                        target,
                        path,
                        find(target, operation.path("from").asText("")).deepCopy());
            }
            case "test" -> {
                if (!find(target, path).equals(value(operation))) {
                    throw rejected();
                }
                return target;
            }
            default -> throw ApiException.badRequest("JSON patch has an unknown operation " + operation.path("op"));
        }
    }

    private static JsonNode value(JsonNode operation) {
        JsonNode value = operation.get("value");
        if (value == null) {
            throw ApiException.badRequest("JSON patch operation " + operation + " has no value");
        }
        return value.deepCopy();
    }

    private static JsonNode find(JsonNode target, String path) {
        JsonNode found = target.at(pointer(path));
        if (found.isMissingNode()) {
            throw rejected();
        }
        return found;
    }

    private static JsonNode parent(JsonNode target, String path) {
        return find(target, pointer(path).head().toString());
    }

    private static JsonNode add(JsonNode target, String path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        JsonNode parent = parent(target, path);
        JsonPointer last = pointer(path).last();
        if (parent instanceof ObjectNode object) {
            object.set(last.getMatchingProperty(), value);
        } else if (parent instanceof ArrayNode array) {
            int index = last.getMatchingProperty().equals("-") ? array.size() : last.getMatchingIndex();
            if (index < 0 || index > array.size()) {
                throw rejected();
            }
            array.insert(index, value);
        } else {
            throw rejected();
        }
        return target;
    }

    private static JsonNode replace(JsonNode target, String path, JsonNode value) {
        JsonPointer last = pointer(path).last();
        if (parent(target, path) instanceof ArrayNode array) {
            array.set(last.getMatchingIndex(), value);
            return target;
        }
        return add(target, path, value);
    }

    private static void remove(JsonNode target, String path) {
        JsonPointer last = pointer(path).last();
        JsonNode parent = parent(target, path);
        if (parent instanceof ObjectNode object) {
            object.remove(last.getMatchingProperty());
        } else if (parent instanceof ArrayNode array) {
            array.remove(last.getMatchingIndex());
        }
    }

    private static JsonPointer pointer(String path) {
        try {
            return JsonPointer.compile(path);
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("JSON patch path " + path + " is no JSON pointer");
        }
    }

    /** A real server does not say either which operation it was. */
    private static ApiException rejected() {
        return ApiException.unprocessable(
                "the server rejected our request due to an error in our request", List.<FieldError>of());
    }
}
