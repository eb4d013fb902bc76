/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests of one connection, HTTP/1.1 with a body by length or in chunks. Limits: a line 64 KiB, 200 headers, a
 * body {@link #MAXIMUM_BODY_BYTES}.
 */
final class RequestReader {

    /** As the real server's limit for a request. */
    static final int MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;

    private static final int MAXIMUM_LINE_BYTES = 64 * 1024;
    private static final int MAXIMUM_HEADERS = 200;

    /** The request is no HTTP or over a limit; the connection can not go on. */
    static final class BadRequestException extends IOException {
        private static final long serialVersionUID = 1L;
        final int status;

        BadRequestException(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    private final InputStream in;
    private final OutputStream out;
    private final HttpHandler handler;

    RequestReader(InputStream in, OutputStream out, HttpHandler handler) {
        this.in = in;
        this.out = out;
        this.handler = handler;
    }

    /** The next request, or null at the end of the connection. */
    @Nullable
    HttpRequest read() throws IOException {
        String line = readLine(true);
        if (line == null) {
            return null;
        }
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
            throw new BadRequestException(400, "the request line is no HTTP/1 request line");
        }
        Map<String, String> headers = readHeaders();
        int question = parts[1].indexOf('?');
        String path = decoded(question < 0 ? parts[1] : parts[1].substring(0, question));
        if (!handler.admits(path, headers)) {
            return new HttpRequest(parts[0], path, Map.of(), headers, new byte[0]);
        }
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        byte[] body = readBody(headers);
        try {
            return new HttpRequest(
                    parts[0], path, question < 0 ? Map.of() : query(parts[1].substring(question + 1)), headers, body);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(400, "the request path can not be decoded");
        }
    }

    private static String decoded(String path) throws BadRequestException {
        try {
            return decode(path.replace("+", "%2B"));
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(400, "the request path can not be decoded");
        }
    }

    private Map<String, String> readHeaders() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (int count = 0; ; count++) {
            String line = readLine(false);
            if (line == null || line.isEmpty()) {
                return headers;
            }
            int colon = line.indexOf(':');
            if (colon < 1 || count >= MAXIMUM_HEADERS) {
                throw new BadRequestException(431, "a header is malformed or there are more than " + MAXIMUM_HEADERS);
            }
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (first, second) -> first + "," + second);
        }
    }

    private byte[] readBody(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked")) {
            return readChunks();
        }
        String length = headers.getOrDefault("content-length", "0");
        try {
            int bytes = Integer.parseInt(length);
            if (bytes < 0 || bytes > MAXIMUM_BODY_BYTES) {
                throw new BadRequestException(413, "the body is larger than " + MAXIMUM_BODY_BYTES + " bytes");
            }
            return readFully(bytes);
        } catch (NumberFormatException e) {
            throw new BadRequestException(413, "Content-Length " + length + " is no length that is accepted");
        }
    }

    private byte[] readChunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line = readLine(false);
            if (line == null) {
                throw new EOFException("the connection ended within a chunked body");
            }
            int semicolon = line.indexOf(';');
            int size;
            try {
                size = Integer.parseInt((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
            } catch (NumberFormatException e) {
                throw new BadRequestException(400, "a chunk has no size");
            }
            if (size < 0 || body.size() + size > MAXIMUM_BODY_BYTES) {
                throw new BadRequestException(413, "the body is larger than " + MAXIMUM_BODY_BYTES + " bytes");
            }
            if (size == 0) {
                readHeaders();
                return body.toByteArray();
            }
            body.write(readFully(size));
            readLine(false);
        }
    }

    private byte[] readFully(int bytes) throws IOException {
        byte[] read = in.readNBytes(bytes);
        if (read.length < bytes) {
            throw new EOFException("the connection ended within a body");
        }
        return read;
    }

    private @Nullable String readLine(boolean isFirst) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        while (true) {
            int b = in.read();
            if (b < 0) {
                if (isFirst && line.size() == 0) {
                    return null;
                }
                throw new EOFException("the connection ended within a request");
            }
            if (b == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            if (line.size() >= MAXIMUM_LINE_BYTES) {
                throw new BadRequestException(431, "a line is longer than " + MAXIMUM_LINE_BYTES + " bytes");
            }
            line.write(b);
        }
    }

    private static Map<String, List<String>> query(String text) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String part : text.split("&", -1)) {
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                String name = decode(equals < 0 ? part : part.substring(0, equals));
                String value = equals < 0 ? "" : decode(part.substring(equals + 1));
                query.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            }
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
