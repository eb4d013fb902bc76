/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Metric;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange over TCP with the mutual TLS of the cluster: listens, and joins runs. Only workers of this cluster are
 * admitted, each as the seat that its certificate names; a process that is called is verified by its name.
 */
public final class TcpExchange implements ExchangeTransport, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TcpExchange.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MOST_HANDSHAKES = 4 * StreamExchange.MOST_PROCESSES;

    private final ServerSocket listener;
    private final MutualTls security;
    private final Identity self;
    private final ExchangeSettings settings;
    private final Environment environment;
    private final Semaphore handshakes = new Semaphore(MOST_HANDSHAKES);
    private final StreamExchange runs;

    /**
     * Listens from now on.
     *
     * @param listening where; port 0 for any that is free
     * @param host at which others reach this process, an IP address
     * @param self the worker that this process is
     * @param level of recorded formats, by which is chosen what is written
     */
    public TcpExchange(
            InetSocketAddress listening,
            InetAddress host,
            MutualTls security,
            Identity self,
            ExchangeSettings settings,
            IntSupplier level,
            Environment environment)
            throws IOException {
        this.security = security;
        this.self = self;
        this.settings = settings;
        this.environment = environment;
        this.listener = new ServerSocket();
        listener.bind(listening);
        this.runs = new StreamExchange(
                hostOf(host) + ":" + listener.getLocalPort(), this::dial, settings, level, environment);
        environment.blockingExecutor().execute(this::accept);
    }

    private static String hostOf(InetAddress address) {
        String host = address.getHostAddress();
        return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public String address() {
        return runs.address();
    }

    @Override
    public ExchangeSession join(long run, int number, List<ExchangePeer> peers) {
        return runs.join(run, number, peers);
    }

    private ByteStream dial(ExchangePeer peer) throws IOException {
        Socket raw = new Socket();
        try {
            int port = peer.address().lastIndexOf(':');
            raw.connect(
                    new InetSocketAddress(
                            InetAddress.getByName(peer.address().substring(0, port)),
                            Integer.parseInt(peer.address().substring(port + 1))),
                    CONNECT_MILLIS);
            String authority = Identity.authority(peer.seat(), self.namespace());
            return secured(raw, (SSLSocket) security.clientContext(authority)
                    .getSocketFactory()
                    .createSocket(raw, authority, listener.getLocalPort(), true));
        } catch (IOException | RuntimeException failed) {
            raw.close();
            throw failed;
        }
    }

    private ByteStream secured(Socket raw, SSLSocket secured) throws IOException {
        raw.setTcpNoDelay(true);
        raw.setSoTimeout(settings.silentMillis());
        secured.startHandshake();
        return new TcpStream(raw, secured);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket raw = listener.accept();
                if (handshakes.tryAcquire()) {
                    environment.threads().newThread(() -> greet(raw)).start();
                } else {
                    raw.close();
                }
            } catch (IOException failed) {
                if (!listener.isClosed()) {
                    LOG.warn("A connection of the exchange could not be accepted: {}", failed.toString());
                }
            }
        }
    }

    private void greet(Socket raw) {
        AtomicBoolean greeting = new AtomicBoolean(true);
        Runnable greeted = () -> {
            if (greeting.getAndSet(false)) {
                handshakes.release();
            }
        };
        try (raw) {
            SSLSocket secured =
                    (SSLSocket) security.serverContext().getSocketFactory().createSocket(raw, null, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setNeedClientAuth(true);
            secured.setSSLParameters(parameters);
            ByteStream stream = secured(raw, secured);
            runs.serve(stream, caller(secured).name(), greeted);
        } catch (IOException failed) {
            LOG.debug("A connection of the exchange has ended: remote={} reason={}", raw, failed.toString());
        } catch (InterruptedException stopped) {
            LOG.debug("The process ends");
        } finally {
            greeted.run();
        }
    }

    /** @throws SSLPeerUnverifiedException if the caller is not a worker of this cluster */
    private Identity caller(SSLSocket secured) throws SSLPeerUnverifiedException {
        Optional<Identity> caller =
                Identity.of((X509Certificate) secured.getSession().getPeerCertificates()[0]);
        boolean admitted = caller.isPresent()
                && caller.get().kind() == Identity.Kind.WORKER
                && caller.get().cluster().equals(self.cluster())
                && caller.get().namespace().equals(self.namespace());
        if (!admitted) {
            LOG.warn(
                    "Refused in the exchange, not a worker of this cluster: caller={} remote={}",
                    caller.map(Identity::uri).orElse("none"),
                    secured.getRemoteSocketAddress());
            throw new SSLPeerUnverifiedException("Not a worker of this cluster");
        }
        return caller.get();
    }

    /** To be published. */
    public List<Metric> metrics() {
        return runs.metrics();
    }

    /** Stops to listen and ends the run in force. */
    @Override
    public void close() {
        runs.end();
        try {
            listener.close();
        } catch (IOException alreadyClosed) {
            LOG.debug("The exchange was closed: {}", alreadyClosed.toString());
        }
    }
}
