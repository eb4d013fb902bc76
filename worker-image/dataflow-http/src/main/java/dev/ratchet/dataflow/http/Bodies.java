/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.dataflow.query.WaitingBytes;
import java.io.IOException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Reads bodies of requests, each up to a limit, and all that are there at once up to another: a caller beyond it is
 * told to come again. Safe for use by several threads.
 */
final class Bodies {

    private final int requestBytesMax;
    private final WaitingBytes waiting;

    Bodies(int requestBytesMax, WaitingBytes waiting) {
        this.requestBytesMax = requestBytesMax;
        this.waiting = waiting;
    }

    /** A body that counts until it is closed. */
    record Body(byte[] bytes, WaitingBytes.Counted counted) implements AutoCloseable {
        @Override
        public void close() {
            counted.close();
        }
    }

    /** Reads a body. @throws HttpFailure or RefusedException where it is not taken */
    Body read(Call call) throws IOException {
        call.header("Content-Encoding")
                .filter(coding -> !coding.equalsIgnoreCase("identity"))
                .ifPresent(coding -> {
                    throw new HttpFailure(415, "The body is encoded as " + coding, "Send it as it is");
                });
        long said = call.request().getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if (said > requestBytesMax) {
            throw tooLarge(said + " bytes");
        }
        WaitingBytes.Counted counted = waiting.begin(said < 0 ? requestBytesMax : (int) said);
        Body body = null;
        try {
            // Not closed: what is refused is read to its end before the answer.
            byte[] bytes = Request.asInputStream(call.request()).readNBytes(requestBytesMax + 1);
            if (bytes.length > requestBytesMax) {
                throw tooLarge("more");
            }
            body = new Body(bytes, counted);
            return body;
        } finally {
            if (body == null) {
                counted.close();
            }
        }
    }

    private HttpFailure tooLarge(String size) {
        return new HttpFailure(
                413, "The body may have " + requestBytesMax + " bytes, it has " + size, "Send fewer rows at once");
    }
}
