/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.eclipse.jetty.http.HttpStatus;

/** What a caller is told of a request that is not done. */
final class HttpFailures {

    private HttpFailures() {}

    /** A word for programs, a sentence for people, and what to do. */
    static ObjectNode document(int status, String message, String remedy) {
        String word =
                HttpStatus.getMessage(status).replaceAll("[^A-Za-z]+", "_").toLowerCase(Locale.ROOT);
        return JsonNodeFactory.instance
                .objectNode()
                .put("error", word)
                .put("message", message)
                .put("remedy", remedy);
    }

    static ObjectNode document(HttpFailure failure) {
        ObjectNode document = document(failure.status(), String.valueOf(failure.getMessage()), failure.remedy());
        failure.details().forEach(document::putPOJO);
        return document;
    }
}
