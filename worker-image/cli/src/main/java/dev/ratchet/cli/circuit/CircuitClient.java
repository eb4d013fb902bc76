/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.circuit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.RatchetException;
import dev.ratchet.futures.client.ConnectionDocument;
import dev.ratchet.protocol.security.MutualTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/**
 * Asks the circuit of a cluster over HTTPS, with the certificate of a connection document. Each request goes to one
 * worker after the other until one answers it or the time is over, which is harmless: reading changes nothing, and rows
 * are sent with a sequence by which a repetition is known. One thread at a time.
 */
public final class CircuitClient implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final long RETRY_MILLIS = 500;
    private static final long RETRY_SECONDS_MAX = 10;
    private static final int REFUSAL_BYTES_MAX = 1 << 16;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    /** Numbers stay as they are written. */
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final String cluster;
    private final List<String> endpoints;
    private final Duration timeout;
    private final HttpClient http;
    private int preferred;

    /** @throws InvalidInputException if the document names no circuit, or its certificate can not be used */
    public CircuitClient(ConnectionDocument document, Duration timeout) {
        this.cluster = document.namespace() + "/" + document.cluster();
        this.endpoints = document.circuitEndpoints();
        this.timeout = timeout;
        if (endpoints.isEmpty()) {
            throw new InvalidInputException("The connection names no circuit of the cluster " + cluster
                    + ": it has none, or the connection is older than its circuit. Set spec.circuit, and take the key"
                    + " 'connection' of the client's Secret again.");
        }
        try {
            MutualTls security = MutualTls.fromPem(document.certificate(), document.key(), document.authorities());
            this.http = HttpClient.newBuilder()
                    .sslContext(security.clientContext(document.authority()))
                    .connectTimeout(CONNECT_TIMEOUT)
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
        } catch (IllegalArgumentException unusable) {
            throw new InvalidInputException(
                    "The connection to " + cluster + " can not be used: " + unusable.getMessage()
                            + ". Take the key 'connection' of the client's Secret again.",
                    unusable);
        }
    }

    /** A name as a part of an address. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Reads.
     *
     * @param path with its query
     * @throws InvalidInputException if the circuit refuses the request
     * @throws RatchetException if it does not answer, or fails
     */
    public HttpResponse<InputStream> get(String path) throws InterruptedException {
        return send(endpoint -> at(endpoint, path).GET());
    }

    /** The same for an answer of one type. */
    HttpResponse<InputStream> get(String path, String type) throws InterruptedException {
        return send(endpoint -> at(endpoint, path).header("Accept", type).GET());
    }

    /** The same for a document as the answer. */
    public JsonNode document(String path) throws InterruptedException {
        return json(get(path));
    }

    /** Sends a body, again where no answer comes, and gives what is answered. */
    public HttpResponse<InputStream> post(String path, String contentType, byte[] body) throws InterruptedException {
        return send(endpoint -> at(endpoint, path)
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /** The document that was answered. */
    public static JsonNode json(HttpResponse<InputStream> answer) {
        try (InputStream body = answer.body()) {
            return JSON.readTree(body);
        } catch (IOException broken) {
            throw new ConnectionException("The answer of the circuit broke off: " + broken, broken);
        }
    }

    /** The lines that were answered. */
    public static List<JsonNode> rows(HttpResponse<InputStream> answer) {
        try (InputStream body = answer.body();
                MappingIterator<JsonNode> lines = JSON.readerFor(JsonNode.class).readValues(body)) {
            return lines.readAll();
        } catch (IOException broken) {
            throw new ConnectionException("The answer of the circuit broke off: " + broken, broken);
        }
    }

    /** What a document that says why something is refused means to the user. */
    static RatchetException refused(JsonNode document) {
        return new InvalidInputException(sentences(document));
    }

    private static String sentences(JsonNode document) {
        return document.path("message").asText() + ". "
                + document.path("remedy").asText() + ".";
    }

    private HttpRequest.Builder at(String endpoint, String path) {
        return HttpRequest.newBuilder(URI.create("https://" + endpoint + path)).timeout(timeout);
    }

    private HttpResponse<InputStream> send(Function<String, HttpRequest.Builder> request) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            String told = "";
            long waitMillis = RETRY_MILLIS;
            for (int tried = 0; tried < endpoints.size(); tried++) {
                String endpoint = endpoints.get(preferred);
                try {
                    HttpResponse<InputStream> answer =
                            http.send(request.apply(endpoint).build(), BodyHandlers.ofInputStream());
                    if (answer.statusCode() < BAD_REQUEST) {
                        return answer;
                    }
                    told += " " + endpoint + ": " + refusal(answer);
                    waitMillis = Math.max(waitMillis, retryMillis(answer));
                } catch (SSLException strange) {
                    throw new ConnectionException(
                            "The circuit of " + cluster + " at " + endpoint + " and this client do not trust each"
                                    + " other: " + strange.getMessage()
                                    + ". Take the key 'connection' of the client's Secret again.",
                            strange);
                } catch (IOException unreachable) {
                    told += " " + endpoint + ": " + unreachable + ".";
                }
                preferred = (preferred + 1) % endpoints.size();
            }
            if (System.nanoTime() - end > 0) {
                throw new ConnectionException("The circuit of " + cluster + " has not answered within "
                        + timeout.toSeconds() + " s:" + told + " Does 'ratchet status' reach the cluster?");
            }
            TimeUnit.MILLISECONDS.sleep(waitMillis);
        }
    }

    /** What is to be told if nothing better comes. @throws RatchetException where trying again is of no use */
    private static String refusal(HttpResponse<InputStream> answer) throws IOException {
        String text;
        try (InputStream body = answer.body()) {
            text = new String(body.readNBytes(REFUSAL_BYTES_MAX), StandardCharsets.UTF_8);
        }
        String reason;
        try {
            reason = sentences(JSON.readTree(text));
        } catch (JsonProcessingException otherServer) {
            reason = "status " + answer.statusCode() + ", " + text.strip();
        }
        int status = answer.statusCode();
        if (status != TOO_MANY_REQUESTS && status != UNAVAILABLE) {
            throw status < SERVER_ERROR ? new InvalidInputException(reason) : new RatchetException(reason);
        }
        return reason;
    }

    private static long retryMillis(HttpResponse<InputStream> answer) {
        long seconds = answer.headers().firstValueAsLong("Retry-After").orElse(0);
        return TimeUnit.SECONDS.toMillis(Math.min(RETRY_SECONDS_MAX, seconds));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
