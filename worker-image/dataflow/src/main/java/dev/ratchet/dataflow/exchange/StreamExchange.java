/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Metric;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange over connections that others make: joins runs, calls those of a lower place and answers those of a
 * higher one. There is one session in force, that of the highest run. Safe for use by several threads.
 */
public final class StreamExchange implements ExchangeTransport {

    /** More processes in one circuit than this are refused: each has a connection to each other one. */
    public static final int MOST_PROCESSES = 64;

    private static final Logger LOG = LoggerFactory.getLogger(StreamExchange.class);

    private final String address;
    private final Dialer dialer;
    private final ExchangeSettings settings;
    private final IntSupplier level;
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final TimedCondition joined;
    private final ExchangeCounters counters = new ExchangeCounters();
    private @Nullable LinkSession inForce;

    /**
     * @param address at which others reach this process
     * @param level of recorded formats, by which is chosen what is written
     */
    public StreamExchange(
            String address, Dialer dialer, ExchangeSettings settings, IntSupplier level, Environment environment) {
        this.address = address;
        this.dialer = dialer;
        this.settings = settings;
        this.level = level;
        this.environment = environment;
        this.joined = new TimedCondition(lock, environment);
    }

    @Override
    public String address() {
        return address;
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
        LinkSession session = new LinkSession(run, number, peers, settings, counters, level, environment);
        LinkSession ended;
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
        session.start(dialer);
        return session;
    }

    /**
     * Serves a connection that another process has made, until it breaks. Blocks.
     *
     * @param seat that the caller has proved to hold
     * @param greeted is run once the caller has said what it wants and the run is known, or will not be
     */
    public void serve(ByteStream stream, String seat, Runnable greeted) throws IOException, InterruptedException {
        Connection connection = new Connection(stream);
        Hello hello = Hello.read(connection.in());
        LinkSession session = awaitSession(hello.run());
        greeted.run();
        answer(connection, seat, hello, session);
    }

    /** The session in force, as soon as it is that of {@code run} or of a later one; not for long. */
    private @Nullable LinkSession awaitSession(long run) throws InterruptedException {
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

    private void answer(Connection connection, String seat, Hello hello, @Nullable LinkSession session)
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
        } else if (link == null || !link.peer().seat().equals(seat)) {
            LOG.warn("Refused in the exchange, not the process that the run names: caller={} {}", seat, hello);
            refuse(connection, Hello.Verdict.OVER, "it expects another process than " + seat + ", " + hello);
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

    /** To be published. */
    public List<Metric> metrics() {
        return counters.all();
    }

    /** Ends the run in force. */
    public void end() {
        LinkSession ended;
        lock.lock();
        try {
            ended = inForce;
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.end("the process ends");
        }
    }
}
