/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Reads OTLP in JSON by its own schema: unknown fields and wrong types fail, as with a collector. */
final class OtlpJson {

    private OtlpJson() {}

    static List<Span> read(String json) throws IOException {
        JsonNode tree = new ObjectMapper().readTree(json);
        for (String id : List.of("traceId", "spanId", "parentSpanId")) {
            for (JsonNode parent : tree.findParents(id)) {
                // The one departure of OTLP from JSON of protocol buffers: these bytes are in hexadecimal digits.
                byte[] bytes = HexFormat.of().parseHex(parent.get(id).asText());
                ((ObjectNode) parent).put(id, Base64.getEncoder().encodeToString(bytes));
            }
        }
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        JsonFormat.parser().merge(tree.toString(), request);
        return request.getResourceSpansList().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }
}
