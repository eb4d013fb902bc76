/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Reads bodies of requests, each up to a limit, and all that are there at once up to another: a caller beyond it is
 * told to come again. Safe for use by several threads.
 */
final class Bodies {

    private final int requestBytesMax;
    private final Semaphore waitingBytes;

    Bodies(int requestBytesMax, int waitingBytesMax) {
        this.requestBytesMax = requestBytesMax;
        this.waitingBytes = new Semaphore(Math.max(requestBytesMax, waitingBytesMax));
    }

    /** A body that counts until it is closed. */
    record Body(byte[] bytes, int counted, Semaphore counter) implements AutoCloseable {
        @Override
        public void close() {
            counter.release(counted);
        }
    }

    /** Reads a body. @throws HttpFailure with 413, 415 or 429 where it is not taken */
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
        int counted = said < 0 ? requestBytesMax : (int) said;
        if (!waitingBytes.tryAcquire(counted)) {
            throw new HttpFailure(429, "Too many requests are being stored", "Send it again in a second")
                    .header("Retry-After", "1");
        }
        Body body = null;
        try {
            // Not closed: what is refused is read to its end before the answer.
            byte[] bytes = Request.asInputStream(call.request()).readNBytes(requestBytesMax + 1);
            if (bytes.length > requestBytesMax) {
                throw tooLarge("more");
            }
            body = new Body(bytes, counted, waitingBytes);
            return body;
        } finally {
            if (body == null) {
                waitingBytes.release(counted);
            }
        }
    }

    private HttpFailure tooLarge(String size) {
        return new HttpFailure(
                413, "The body may have " + requestBytesMax + " bytes, it has " + size, "Send fewer rows at once");
    }
}
