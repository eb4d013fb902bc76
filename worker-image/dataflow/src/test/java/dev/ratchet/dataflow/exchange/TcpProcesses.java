/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Workers of one cluster on free ports of the loopback address. */
final class TcpProcesses implements AutoCloseable {

    /** Nothing is lost before half a minute, so that a slow machine does not look like a lost peer. */
    static final ExchangeSettings PATIENT = new ExchangeSettings(80 << 20, 100, 30_000, 30_000, 30_000);

    private final TestAuthority authority = new TestAuthority("orders-ca");
    private final SystemEnvironment environment = new SystemEnvironment();
    private final List<TcpExchange> opened = new ArrayList<>();

    static Identity worker(int number) {
        return new Identity("team-a", "orders", Identity.Kind.WORKER, ExchangeConformance.seat(number));
    }

    TcpExchange open(int number, ExchangeSettings settings) throws IOException {
        return open(worker(number), settings);
    }

    TcpExchange open(Identity self, ExchangeSettings settings) throws IOException {
        return open(self, certificate(authority, self), settings);
    }

    TcpExchange open(Identity self, MutualTls certificate, ExchangeSettings settings) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        TcpExchange exchange = new TcpExchange(
                new InetSocketAddress(loopback, 0), loopback, certificate, self, settings, () -> 1, environment);
        opened.add(exchange);
        return exchange;
    }

    static MutualTls certificate(TestAuthority authority, Identity identity) {
        TestAuthority.Issued issued = authority.issue(identity);
        return MutualTls.fromPem(issued.certificate(), issued.key(), issued.authorities());
    }

    @Override
    public void close() {
        opened.forEach(TcpExchange::close);
        environment.close();
    }
}
