/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.List;

/** Owns the count of requests to the API server, by verb, resource and status: what an operator costs its cluster. */
public final class ApiRequests implements Interceptor {
    public static final String METRIC = "ratchet.operator.api.requests";

    private final MeterRegistry metrics;

    public ApiRequests(MeterRegistry metrics) {
        this.metrics = metrics;
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        Counter.builder(METRIC)
                .description("Requests to the API server")
                .tags("verb", verb(request))
                .tags("resource", resource(request.uri().getPath()))
                .tags("status", response.code() / 100 + "xx")
                .register(metrics)
                .increment();
    }

    /** The verb as Kubernetes names it, as far as a request tells. */
    static String verb(HttpRequest request) {
        String query = request.uri().getQuery();
        return switch (request.method()) {
            case "GET" -> query != null && query.contains("watch=true") ? "watch" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "other";
        };
    }

    /** The plural of the resource in a path; a path of another kind is "other", so the number of names stays small. */
    static String resource(String path) {
        String[] parts = path.split("/", -1);
        int start = path.startsWith("/apis/") ? 4 : path.startsWith("/api/") ? 3 : -1;
        if (start < 0 || parts.length <= start) {
            return "other";
        }
        boolean namespaced = parts[start].equals("namespaces") && parts.length > start + 2;
        return namespaced ? parts[start + 2] : parts[start];
    }
}
