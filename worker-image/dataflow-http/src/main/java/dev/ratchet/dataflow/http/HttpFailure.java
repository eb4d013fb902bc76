/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** A request that is not done: what the caller is told, and what he can do. */
final class HttpFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String remedy;
    private final transient Map<String, String> headers = new LinkedHashMap<>();
    private final transient Map<String, Object> details = new LinkedHashMap<>();

    HttpFailure(int status, String message, String remedy) {
        super(message);
        this.status = status;
        this.remedy = remedy;
    }

    HttpFailure header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** A field of the answer beside the message. */
    HttpFailure detail(String name, Object value) {
        details.put(name, value);
        return this;
    }

    int status() {
        return status;
    }

    String remedy() {
        return remedy;
    }

    Map<String, String> headers() {
        return headers;
    }

    Map<String, Object> details() {
        return details;
    }
}
