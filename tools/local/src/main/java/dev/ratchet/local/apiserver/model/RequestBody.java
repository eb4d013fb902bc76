/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import java.io.IOException;

/** Reads the bodies of requests: what can not be read is the caller's mistake, and told as such. */
public final class RequestBody {

    private RequestBody() {}

    /**
     * Reads JSON, or YAML where the text does not start as JSON.
     *
     * @throws ApiException 400 when it is neither
     */
    public static JsonNode parse(byte[] text) {
        try {
            JsonNode node = Json.read(text);
            if (node.isMissingNode()) {
                throw ApiException.badRequest("the request has no body, an object was expected");
            }
            return node;
        } catch (IOException e) {
            throw ApiException.badRequest("the body is neither JSON nor YAML: " + firstLine(e));
        }
    }

    /** As {@link #parse}, and the result must be an object. */
    public static ObjectNode parseObject(byte[] text) {
        if (parse(text) instanceof ObjectNode object) {
            return object;
        }
        throw ApiException.badRequest("the body is not an object");
    }

    private static String firstLine(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
