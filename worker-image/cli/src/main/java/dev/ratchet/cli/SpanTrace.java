/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.futures.v1.State;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The futures of a job as OpenTelemetry spans in OTLP/JSON, as collectors read from files and at {@code /v1/traces}:
 * one trace, a span from the submit of each future to its end with an event at the claim, children under their parents.
 * What is not done ends now. Clocks of machines differ: nothing ends before it begins.
 */
final class SpanTrace {

    private static final int TRACE_ID_BYTES = 16;
    private static final int SPAN_ID_BYTES = 8;
    private static final int STATUS_OK = 1;
    private static final int STATUS_ERROR = 2;
    private static final BigInteger NANOS_PER_MILLI = BigInteger.valueOf(1_000_000);

    private SpanTrace() {}

    static void write(String job, List<FutureDescription> futures, long nowMillis, JsonGenerator json)
            throws IOException {
        String trace = HexFormat.of().formatHex(sha256(job), 0, TRACE_ID_BYTES);
        json.writeStartObject();
        json.writeArrayFieldStart("resourceSpans");
        json.writeStartObject();
        json.writeObjectFieldStart("resource");
        json.writeArrayFieldStart("attributes");
        attribute(json, "service.name", "ratchet");
        attribute(json, "ratchet.job", job);
        json.writeEndArray();
        json.writeEndObject();
        json.writeArrayFieldStart("scopeSpans");
        json.writeStartObject();
        json.writeArrayFieldStart("spans");
        for (FutureDescription future : futures) {
            span(json, trace, future, nowMillis);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void span(JsonGenerator json, String trace, FutureDescription future, long nowMillis)
            throws IOException {
        long last = Math.max(future.getSubmittedWallMillis(), future.getClaimedWallMillis());
        json.writeStartObject();
        json.writeStringField("traceId", trace);
        json.writeStringField("spanId", spanId(future.getId()));
        if (!future.getParent().isEmpty()) {
            json.writeStringField("parentSpanId", spanId(future.getParent()));
        }
        json.writeStringField("name", future.getName().isEmpty() ? "future" : future.getName());
        json.writeNumberField("kind", 1);
        json.writeStringField("startTimeUnixNano", nanos(future.getSubmittedWallMillis()));
        long end = Lifecycle.isOpen(future.getState()) ? nowMillis : future.getDoneWallMillis();
        json.writeStringField("endTimeUnixNano", nanos(Math.max(last, end)));
        json.writeArrayFieldStart("attributes");
        attribute(json, "ratchet.future", Ids.of(future.getId()).toString());
        attribute(json, "ratchet.state", Lifecycle.word(future.getState()));
        attribute(json, "ratchet.seat", future.getClaim().getSeat());
        attribute(json, "ratchet.incarnation", Long.toString(future.getClaim().getIncarnation()));
        attribute(json, "ratchet.attempts", Integer.toString(future.getAttempts()));
        json.writeEndArray();
        if (future.getClaimedWallMillis() > 0) {
            json.writeArrayFieldStart("events");
            json.writeStartObject();
            json.writeStringField("timeUnixNano", nanos(future.getClaimedWallMillis()));
            json.writeStringField("name", "claimed");
            json.writeEndObject();
            json.writeEndArray();
        }
        json.writeObjectFieldStart("status");
        if (future.getState() == State.STATE_REALIZED) {
            json.writeNumberField("code", STATUS_OK);
        } else if (future.getState() == State.STATE_FAILED) {
            json.writeNumberField("code", STATUS_ERROR);
            json.writeStringField("message", future.getFailure().getMessage());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void attribute(JsonGenerator json, String key, String value) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", key);
        json.writeObjectFieldStart("value");
        json.writeStringField("stringValue", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static String nanos(long millis) {
        return BigInteger.valueOf(millis).multiply(NANOS_PER_MILLI).toString();
    }

    /** From both halves of the id: those of futures that were submitted together differ in the second one alone. */
    static String spanId(ByteString id) {
        byte[] bits = id.toByteArray();
        for (int i = 0; i < SPAN_ID_BYTES; i++) {
            bits[i] ^= bits[SPAN_ID_BYTES + i];
        }
        return HexFormat.of().formatHex(bits, 0, SPAN_ID_BYTES);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256", impossible);
        }
    }
}
