/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * By bare sockets under the same TLS, with nothing around the bytes: what no exchange can do better than. Long frames
 * are written by threads of their own, since both sides write at once.
 */
final class SocketMeetings implements Meetings {

    private static final int SHORT_BYTES = 16 << 10;

    private final MutualTls security;
    private final String namespace;
    private final ServerSocket listener;
    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<SSLSocket> sockets = new ArrayList<>();
    private final List<DataInputStream> inputs = new ArrayList<>();
    private final List<OutputStream> outputs = new ArrayList<>();
    private byte[] place = {};

    SocketMeetings(MutualTls security, Identity self) throws IOException {
        this.security = security;
        this.namespace = self.namespace();
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    @Override
    public String address() {
        return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
    }

    @Override
    public void join(int self, List<String> addresses) throws IOException {
        for (int other = 0; other < self; other++) {
            Socket raw = listener.accept();
            SSLSocket secured =
                    (SSLSocket) security.serverContext().getSocketFactory().createSocket(raw, null, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setNeedClientAuth(true);
            secured.setSSLParameters(parameters);
            add(raw, secured);
        }
        for (int other = self + 1; other < addresses.size(); other++) {
            String address = addresses.get(other);
            int port = address.lastIndexOf(':');
            Socket raw = new Socket(address.substring(0, port), Integer.parseInt(address.substring(port + 1)));
            String name = Identity.authority(MeetingProcess.seat(other), namespace);
            add(raw, (SSLSocket)
                    security.clientContext(name).getSocketFactory().createSocket(raw, name, raw.getPort(), true));
        }
    }

    private void add(Socket raw, SSLSocket secured) throws IOException {
        raw.setTcpNoDelay(true);
        secured.startHandshake();
        sockets.add(secured);
        inputs.add(new DataInputStream(secured.getInputStream()));
        outputs.add(secured.getOutputStream());
    }

    @Override
    public void meet(byte[] frame) throws Exception {
        List<Future<?>> written = new ArrayList<>();
        for (OutputStream out : outputs) {
            if (frame.length <= SHORT_BYTES) {
                out.write(frame);
            } else {
                written.add(writers.submit(() -> {
                    out.write(frame);
                    return null;
                }));
            }
        }
        place = place.length == frame.length ? place : new byte[frame.length];
        for (DataInputStream in : inputs) {
            in.readFully(place);
        }
        for (Future<?> one : written) {
            one.get();
        }
    }

    @Override
    public void close() throws IOException {
        for (SSLSocket socket : sockets) {
            socket.close();
        }
        listener.close();
        writers.shutdownNow();
    }
}
