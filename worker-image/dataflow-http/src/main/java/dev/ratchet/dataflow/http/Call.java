/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;

/** One request and its answer. One thread. */
final class Call {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Request request;
    private final Response response;
    private final List<String> path;
    private final Runnable admission;
    private final Fields parameters;

    /**
     * @param path the parts of the path behind the version, decoded
     * @param admission asks whether the caller still may make this call, and fails with HttpFailure if not
     */
    Call(Request request, Response response, List<String> path, Runnable admission) {
        this.admission = admission;
        this.request = request;
        this.response = response;
        this.path = path;
        try {
            this.parameters = Request.extractQueryParameters(request, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new HttpFailure(400, "The query of the address can not be read", "Encode it as UTF-8 by percents");
        }
    }

    Request request() {
        return request;
    }

    /** For a call that lasts. @throws HttpFailure with 401 or 403 where the caller may not make it any more */
    void requireAdmitted() {
        admission.run();
    }

    /** The name in the path, behind what kind of thing it names. */
    String name() {
        return path.get(1);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.getValue(name)).filter(value -> !value.isEmpty());
    }

    /** A number in the query of the address. */
    Optional<Long> number(String name) {
        return parameter(name).map(value -> number("The parameter " + name, value));
    }

    static long number(String what, String value) {
        try {
            long number = Long.parseLong(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException none) {
            // Told below, as a negative one is.
        }
        throw new HttpFailure(400, what + " is '" + value + "'", "Give an integer from 0 on");
    }

    /** The type of the body, without its parameters; empty where none is said. */
    String contentType() {
        String type = header("Content-Type").orElse("");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** The first of some types that the caller accepts; the first of them where he does not say. */
    String accepted(List<String> types) {
        List<String> wanted = request.getHeaders().getQualityCSV(HttpHeader.ACCEPT);
        if (wanted.isEmpty()) {
            return types.getFirst();
        }
        for (String type : wanted) {
            String plain = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (plain.equals("*/*")) {
                return types.getFirst();
            }
            if (types.contains(plain)) {
                return plain;
            }
        }
        throw new HttpFailure(
                406, "Nothing of what the header Accept names can be given", "Accept " + String.join(" or ", types));
    }

    void answerHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    /** Begins an answer of status 200 that is written as it comes. */
    OutputStream begin(String contentType) {
        response.setStatus(200);
        answerHeader("Content-Type", contentType);
        answerHeader("Cache-Control", "no-store");
        return Content.Sink.asOutputStream(response);
    }

    /** Answers with a JSON document. */
    void answer(int status, JsonNode document) throws IOException {
        byte[] bytes;
        try {
            bytes = (MAPPER.writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("A document that can not be written", impossible);
        }
        response.setStatus(status);
        answerHeader("Content-Type", "application/json");
        answerHeader("Cache-Control", "no-store");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, (long) bytes.length);
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
            out.write(bytes);
        }
    }
}
