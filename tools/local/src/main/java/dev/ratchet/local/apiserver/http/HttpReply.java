/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reply to one request: either sent at once, or a stream of unknown length, or a WebSocket. Exactly one of the
 * three, by one thread. After a stream or a WebSocket the connection ends.
 */
public final class HttpReply {

    private static final String WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final HttpRequest request;
    private final InputStream in;
    private final OutputStream out;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean isStarted;
    private boolean isStream;

    HttpReply(HttpRequest request, InputStream in, OutputStream out) {
        this.request = request;
        this.in = in;
        this.out = out;
    }

    /** Adds a header to whatever is sent; before it is. */
    public void header(String name, String value) {
        headers.put(name, value.replace('\r', ' ').replace('\n', ' '));
    }

    public boolean isStarted() {
        return isStarted;
    }

    boolean isStream() {
        return isStream;
    }

    public void send(int status, String contentType, byte[] body) throws IOException {
        isStarted = true;
        header("Content-Type", contentType);
        header("Content-Length", Integer.toString(body.length));
        writeHead(status);
        if (!request.method().equals("HEAD")) {
            out.write(body);
        }
        out.flush();
    }

    /** Starts a reply in chunks; each flush of the stream is seen by the client at once. Closing it ends the reply. */
    public OutputStream stream(int status, String contentType) throws IOException {
        isStarted = true;
        isStream = true;
        header("Content-Type", contentType);
        header("Transfer-Encoding", "chunked");
        header("Connection", "close");
        writeHead(status);
        out.flush();
        return new ChunkedOutput(out);
    }

    public boolean wantsWebSocket() {
        return request.header("upgrade").equalsIgnoreCase("websocket");
    }

    /**
     * Turns the connection into a WebSocket that sends text messages; what the client sends is read and dropped by
     * {@link #watchForDisconnect}.
     */
    public WebSocketOutput webSocket() throws IOException {
        isStarted = true;
        isStream = true;
        header("Upgrade", "websocket");
        header("Connection", "Upgrade");
        header("Sec-WebSocket-Accept", accept(request.header("sec-websocket-key")));
        writeHead(101);
        out.flush();
        return new WebSocketOutput(out);
    }

    /** Runs {@code action} once when the client has gone; only for streams and WebSockets. */
    public void watchForDisconnect(Runnable action) {
        Thread.ofVirtual().name("apiserver-disconnect").start(() -> {
            try {
                byte[] dropped = new byte[1024];
                while (in.read(dropped) >= 0) {
                    if (wantsWebSocket() && (dropped[0] & 0x0f) == WebSocketOutput.CLOSE) {
                        break;
                    }
                }
            } catch (IOException e) {
                // A broken connection is a client that has gone.
            }
            action.run();
        });
    }

    private void writeHead(int status) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(reason(status))
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + WEBSOCKET_GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-1", e);
        }
    }

    private static String reason(int status) {
        return switch (status) {
            case 101 -> "Switching Protocols";
            case 200 -> "OK";
            case 201 -> "Created";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 413 -> "Request Entity Too Large";
            case 415 -> "Unsupported Media Type";
            case 422 -> "Unprocessable Entity";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            default -> "Status";
        };
    }
}
