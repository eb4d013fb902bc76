/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.dataflow;

import dev.ratchet.circuits.type.FormatNumbers;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeSettings;
import dev.ratchet.dataflow.exchange.TcpExchange;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** By the exchange of circuits. */
final class ExchangeMeetings implements Meetings {

    private final SystemEnvironment environment = new SystemEnvironment();
    private final TcpExchange exchange;
    private @Nullable ExchangeSession session;

    ExchangeMeetings(MutualTls security, Identity self) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        exchange = new TcpExchange(
                new InetSocketAddress(loopback, 0),
                loopback,
                security,
                self,
                ExchangeSettings.defaults(),
                () -> FormatNumbers.ANY_LEVEL,
                environment);
    }

    @Override
    public String address() {
        return exchange.address();
    }

    @Override
    public void join(int self, List<String> addresses) {
        List<ExchangePeer> peers = new ArrayList<>();
        for (String address : addresses) {
            peers.add(new ExchangePeer(MeetingProcess.seat(peers.size()), 1, address));
        }
        session = exchange.join(1, self, peers);
    }

    /** What the circuit of a process exchanges over. */
    ExchangeSession session() {
        return Objects.requireNonNull(session, "not joined");
    }

    @Override
    public void meet(byte[] frame) {
        ExchangeSession joined = session();
        ByteBuffer[] frames = new ByteBuffer[joined.count()];
        Arrays.setAll(frames, number -> ByteBuffer.wrap(frame));
        for (ByteBuffer received : joined.exchange(frames)) {
            MeetingProcess.require(received.remaining() == frame.length);
        }
    }

    @Override
    public void close() {
        exchange.close();
        environment.close();
    }
}
