/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.conformance;

import com.fasterxml.jackson.databind.JsonNode;

/** An answer of the server: its code, its body as JSON and its Warning header. */
public record Reply(int code, JsonNode body, String warning) {

    public String reason() {
        return body.path("reason").asText();
    }

    public String message() {
        return body.path("message").asText();
    }

    public String version() {
        return body.path("metadata").path("resourceVersion").asText();
    }

    public JsonNode at(String pointer) {
        return body.at(pointer);
    }
}
