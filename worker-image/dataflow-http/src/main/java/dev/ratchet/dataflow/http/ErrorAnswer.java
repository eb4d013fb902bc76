/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what the server itself refuses, such as a header that is too long, as all other refusals. */
final class ErrorAnswer extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        String message =
                request.getAttribute(ERROR_MESSAGE) instanceof String text ? text : HttpStatus.getMessage(status);
        String body =
                HttpFailures.document(status, message, "Send a request that HTTP/1.1 allows, within the limits") + "\n";
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(true, StandardCharsets.UTF_8.encode(body), callback);
        return true;
    }
}
