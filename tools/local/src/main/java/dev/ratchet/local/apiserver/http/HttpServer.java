/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.http;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 over TLS on loopback, one virtual thread per connection, at most 4,096 of them: watches are connections that
 * stay, and threads are what they cost. Nothing else listens on the machine for it; closing it ends every connection.
 */
public final class HttpServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int MAXIMUM_CONNECTIONS = 4_096;
    private static final int IDLE_MILLIS = 300_000;
    private static final int LINGER_MILLIS = 1_000;
    private static final long LINGER_BYTES_MAX = 8L * RequestReader.MAXIMUM_BODY_BYTES;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final ServerSocket listener;
    private final HttpHandler handler;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Semaphore permits = new Semaphore(MAXIMUM_CONNECTIONS);
    private volatile boolean isClosed;

    private HttpServer(ServerSocket listener, HttpHandler handler) {
        this.listener = listener;
        this.handler = handler;
    }

    /**
     * Listens and serves until it is closed.
     *
     * @throws IOException when {@code port} is taken
     */
    public static HttpServer start(SSLContext tls, int port, HttpHandler handler) throws IOException {
        ServerSocket listener = tls.getServerSocketFactory().createServerSocket();
        listener.setReuseAddress(true);
        try {
            listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 512);
        } catch (IOException e) {
            listener.close();
            throw new IOException(
                    "port " + port + " of 127.0.0.1 can not be listened on: " + e.getMessage() + "; choose another one",
                    e);
        }
        HttpServer server = new HttpServer(listener, handler);
        Thread.ofPlatform().daemon().name("apiserver-accept").start(server::accept);
        return server;
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!isClosed) {
            try {
                Socket socket = listener.accept();
                if (isClosed || !permits.tryAcquire()) {
                    socket.close();
                    continue;
                }
                connections.add(socket);
                Thread.ofVirtual().name("apiserver-connection").start(() -> serve(socket));
            } catch (IOException e) {
                if (!isClosed) {
                    LOG.warn("A connection could not be accepted", e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(IDLE_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
            OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
            RequestReader reader = new RequestReader(in, out, handler);
            while (!isClosed && serveOne(socket, reader, in, out)) {}
        } catch (IOException e) {
            LOG.debug("A connection ended: {}", e.toString());
        } finally {
            connections.remove(socket);
            permits.release();
        }
    }

    /** False when the connection ends with this request. */
    private boolean serveOne(Socket socket, RequestReader reader, InputStream in, OutputStream out) throws IOException {
        HttpRequest request;
        try {
            request = reader.read();
        } catch (RequestReader.BadRequestException e) {
            byte[] body = String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8);
            HttpRequest unread = new HttpRequest("GET", "", java.util.Map.of(), java.util.Map.of(), new byte[0]);
            HttpReply refusal = new HttpReply(unread, in, out);
            refusal.header("Connection", "close");
            refusal.send(e.status, "text/plain; charset=utf-8", body);
            linger(socket, in);
            return false;
        }
        if (request == null) {
            return false;
        }
        HttpReply reply = new HttpReply(request, in, out);
        if (!handler.admits(request.path(), request.headers())) {
            reply.header("Connection", "close");
            handler.handle(request, reply);
            linger(socket, in);
            return false;
        }
        socket.setSoTimeout(0);
        handler.handle(request, reply);
        socket.setSoTimeout(IDLE_MILLIS);
        return !reply.isStream() && !request.header("connection").equalsIgnoreCase("close");
    }

    /** Takes what the client still sends: a connection closed before that is reset, and the answer lost with it. */
    private static void linger(Socket socket, InputStream in) throws IOException {
        socket.setSoTimeout(LINGER_MILLIS);
        byte[] ignored = new byte[BUFFER_BYTES];
        long taken = 0;
        try {
            for (int count = 0; count >= 0 && taken < LINGER_BYTES_MAX; count = in.read(ignored)) {
                taken += count;
            }
        } catch (SocketTimeoutException silent) {
            LOG.debug("A client went on for no longer after a refusal: bytes={}", taken);
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        listener.close();
        for (Socket socket : connections) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("A connection could not be closed: {}", e.toString());
            }
        }
    }
}
