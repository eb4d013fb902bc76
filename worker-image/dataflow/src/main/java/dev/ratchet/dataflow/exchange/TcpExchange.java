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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange over TCP with the mutual TLS of the cluster: listens, and joins runs. Only workers of this cluster are
 * admitted, each as the seat that its certificate names; a process that is called is verified by its name. There is one
 * session in force, that of the highest run.
 */
public final class TcpExchange implements ExchangeTransport, AutoCloseable {

    /** More processes in one circuit than this are refused: each has a connection to each other one. */
    public static final int MOST_PROCESSES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(TcpExchange.class);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int MOST_HANDSHAKES = 4 * MOST_PROCESSES;

    private final String host;
    private final ServerSocket listener;
    private final MutualTls security;
    private final Identity self;
    private final ExchangeSettings settings;
    private final IntSupplier level;
    private final Environment environment;
    private final Semaphore handshakes = new Semaphore(MOST_HANDSHAKES);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition joined = lock.newCondition();
    private final ExchangeCounters counters = new ExchangeCounters();
    private @Nullable TcpSession inForce;

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
        this.level = level;
        this.environment = environment;
        this.listener = new ServerSocket();
        listener.bind(listening);
        this.host = hostOf(host);
        environment.blockingExecutor().execute(this::accept);
    }

    private static String hostOf(InetAddress address) {
        String host = address.getHostAddress();
        return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public String address() {
        return host + ":" + listener.getLocalPort();
    }

    /**
     * @throws IllegalArgumentException if there are more than {@value #MOST_PROCESSES} peers, or {@code self} is none
     *     of them
     */
    @Override
    public ExchangeSession join(long run, int number, List<ExchangePeer> peers) {
        if (peers.size() > MOST_PROCESSES) {
            throw new IllegalArgumentException("A circuit of " + peers.size() + " processes: at most " + MOST_PROCESSES
                    + " are possible, so give the cluster fewer workers and each of them more threads");
        }
        if (number < 0 || number >= peers.size()) {
            throw new IllegalArgumentException("Process " + number + " of " + peers.size());
        }
        TcpSession session = new TcpSession(run, number, peers, settings, counters, level, environment);
        TcpSession ended;
        lock.lock();
        try {
            ended = inForce;
            if (ended != null && ended.run() >= run) {
                session.end("this process has joined run " + ended.run() + " already");
                return session;
            }
            inForce = session;
            joined.signalAll();
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.end("run " + run + " has begun");
        }
        session.start(this::dial);
        return session;
    }

    private Connection dial(ExchangePeer peer) throws IOException {
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

    private Connection secured(Socket raw, SSLSocket secured) throws IOException {
        raw.setTcpNoDelay(true);
        raw.setSoTimeout(settings.silentMillis());
        secured.startHandshake();
        return new Connection(raw, secured);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket raw = listener.accept();
                if (handshakes.tryAcquire()) {
                    environment.blockingExecutor().execute(() -> greet(raw));
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
        boolean greeting = true;
        try (raw) {
            SSLSocket secured =
                    (SSLSocket) security.serverContext().getSocketFactory().createSocket(raw, null, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setNeedClientAuth(true);
            secured.setSSLParameters(parameters);
            Connection connection = secured(raw, secured);
            Identity caller = caller(secured);
            Hello hello = Hello.read(connection.in());
            TcpSession session = awaitSession(hello.run());
            handshakes.release();
            greeting = false;
            answer(connection, caller, hello, session);
        } catch (IOException failed) {
            LOG.debug("A connection of the exchange has ended: remote={} reason={}", raw, failed.toString());
        } catch (InterruptedException stopped) {
            LOG.debug("The process ends");
        } finally {
            if (greeting) {
                handshakes.release();
            }
        }
    }

    /** The session in force, as soon as it is that of {@code run} or of a later one; not for long. */
    private @Nullable TcpSession awaitSession(long run) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(settings.silentMillis()) / 2;
            while ((inForce == null || inForce.run() < run) && left > 0) {
                left = joined.awaitNanos(left);
            }
            return inForce;
        } finally {
            lock.unlock();
        }
    }

    private void answer(Connection connection, Identity caller, Hello hello, @Nullable TcpSession session)
            throws IOException {
        if (session == null || session.run() < hello.run()) {
            refuse(connection, Hello.Verdict.LATER, "it has not heard of run " + hello.run() + " yet");
            return;
        }
        String over = session.over();
        Link link = session.run() == hello.run() ? session.link(hello) : null;
        if (session.run() > hello.run()) {
            refuse(connection, Hello.Verdict.OVER, "it is in run " + session.run());
        } else if (over != null) {
            refuse(connection, Hello.Verdict.OVER, over);
        } else if (link == null || !link.peer().seat().equals(caller.name())) {
            LOG.warn("Refused in the exchange, not the process that the run names: caller={} {}", caller, hello);
            refuse(connection, Hello.Verdict.OVER, "it expects another process than " + caller.name() + ", " + hello);
        } else {
            new Hello.Answer(Hello.Verdict.JOINED, "joined", link.received()).write(connection.out());
            if (hello.attaches()) {
                link.serve(connection, hello.received());
            }
        }
    }

    private static void refuse(Connection connection, Hello.Verdict verdict, String reason) throws IOException {
        new Hello.Answer(verdict, reason, 0).write(connection.out());
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
        return counters.all();
    }

    /** Stops to listen and ends the run in force. */
    @Override
    public void close() {
        TcpSession ended;
        lock.lock();
        try {
            ended = inForce;
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.end("the process ends");
        }
        try {
            listener.close();
        } catch (IOException alreadyClosed) {
            LOG.debug("The exchange was closed: {}", alreadyClosed.toString());
        }
    }
}
