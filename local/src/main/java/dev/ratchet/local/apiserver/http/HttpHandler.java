/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;

/** Answers requests, each on a thread of its own. */
@FunctionalInterface
public interface HttpHandler {

    /**
     * Answers one request through {@code reply}.
     *
     * @throws IOException when the client has gone; the connection ends
     */
    void handle(HttpRequest request, HttpReply reply) throws IOException;
}
