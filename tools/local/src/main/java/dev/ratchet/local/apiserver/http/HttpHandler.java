/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;
import java.util.Map;

/** Answers requests, each on a thread of its own. */
@FunctionalInterface
public interface HttpHandler {

    /**
     * Answers one request through {@code reply}.
     *
     * @throws IOException when the client has gone; the connection ends
     */
    void handle(HttpRequest request, HttpReply reply) throws IOException;

    /**
     * Whether the body of a request may be read, going by what comes before it. If not, {@link #handle} gets the
     * request without it, and the connection ends: what a stranger sends takes no memory.
     */
    default boolean admits(String path, Map<String, String> headers) {
        return true;
    }
}
