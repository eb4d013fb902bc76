/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.environment.Environment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run as one process takes part in it: a {@link Link} to each of the others. It ends once, for one reason, for
 * everybody who waits in it; what has ended does not begin again.
 */
final class LinkSession implements ExchangeSession {

    private final long run;
    private final int self;
    private final List<ExchangePeer> peers;
    private final ExchangeSettings settings;
    private final ExchangeCounters counters;
    private final IntSupplier level;
    private final Environment environment;
    private final @Nullable Link[] links;
    private final List<Runnable> listeners = new ArrayList<>();
    private @Nullable String over;
    private @Nullable ExchangePeer gone;

    LinkSession(
            long run,
            int self,
            List<ExchangePeer> peers,
            ExchangeSettings settings,
            ExchangeCounters counters,
            IntSupplier level,
            Environment environment) {
        this.run = run;
        this.self = self;
        this.peers = List.copyOf(peers);
        this.settings = settings;
        this.counters = counters;
        this.level = level;
        this.environment = environment;
        this.links = new Link[peers.size()];
        for (int number = 0; number < links.length; number++) {
            links[number] = number == self ? null : new Link(peers.get(number), settings, counters, this, environment);
        }
    }

    /**
     * Of two processes the one of the lower number connects; the other one asks where no connection comes. Who reads
     * and writes has a thread of the system: a virtual one is woken by way of two others, and each of its reads with a
     * limit of silence sets a timer.
     */
    void start(Dialer dialer) {
        for (int number = 0; number < links.length; number++) {
            Link link = links[number];
            if (link != null) {
                Hello hello = new Hello(
                        run,
                        self,
                        peers.get(self).incarnation(),
                        number,
                        link.peer().incarnation(),
                        self < number,
                        0);
                environment
                        .threads()
                        .newThread(new LinkKeeper(link, hello, dialer, this, settings))
                        .start();
                environment.threads().newThread(() -> keepSending(link)).start();
            }
        }
    }

    private void keepSending(Link link) {
        try {
            link.keepSending();
        } catch (InterruptedException stopped) {
            end("The process ends");
        }
    }

    long run() {
        return run;
    }

    /** The link to the process that says {@code hello}, which must be who the run expects; null otherwise. */
    @Nullable
    Link link(Hello hello) {
        boolean expected = hello.from() >= 0
                && hello.from() < links.length
                && hello.to() == self
                && hello.toIncarnation() == peers.get(self).incarnation()
                && hello.fromIncarnation() == peers.get(hello.from()).incarnation();
        return expected ? links[hello.from()] : null;
    }

    @Override
    public int self() {
        return self;
    }

    @Override
    public int count() {
        return links.length;
    }

    @Override
    public int formatLevel() {
        return level.getAsInt();
    }

    @Override
    public ByteBuffer[] exchange(ByteBuffer[] frames) {
        requireUsable(frames);
        ByteBuffer[] received = new ByteBuffer[links.length];
        for (int number = 0; number < links.length; number++) {
            Link link = links[number];
            if (link != null) {
                link.send(frames[number]);
            }
        }
        try {
            for (int number = 0; number < links.length; number++) {
                Link link = links[number];
                received[number] = link == null ? frames[number] : link.take();
            }
            counters.meetings.increment();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            end("The thread that takes steps was stopped");
            throw new PeersLostException("Run " + run + " has ended: this thread was stopped", stopped);
        }
        return received;
    }

    private void requireUsable(ByteBuffer[] frames) {
        if (frames.length != links.length) {
            throw new IllegalArgumentException(frames.length + " frames for " + links.length + " processes");
        }
        for (ByteBuffer frame : frames) {
            if (frame.remaining() > settings.frameLimitBytes()) {
                throw new IllegalArgumentException("One meeting would carry " + frame.remaining()
                        + " bytes from one process to another, at most " + settings.frameLimitBytes()
                        + " are possible: make the limits of a step smaller");
            }
        }
        String reason = over();
        if (reason != null) {
            throw new PeersLostException(reason);
        }
    }

    /** Why the run is over for this process; null while it goes on. */
    synchronized @Nullable String over() {
        return over;
    }

    @Override
    public void onLost(Runnable listener) {
        synchronized (this) {
            if (over == null) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    @Override
    public synchronized Optional<ExchangePeer> gone() {
        return Optional.ofNullable(gone);
    }

    /** Ends the run for this process; without effect after the first time. */
    void end(String reason) {
        end(reason, null);
    }

    /** The same, because {@code peer} is gone. */
    void end(String reason, @Nullable ExchangePeer peer) {
        List<Runnable> told;
        synchronized (this) {
            if (over != null) {
                return;
            }
            gone = peer;
            over = "Run " + run + " has ended: " + reason;
            told = List.copyOf(listeners);
        }
        for (Link link : links) {
            if (link != null) {
                link.end(String.valueOf(over()));
            }
        }
        told.forEach(Runnable::run);
    }

    @Override
    public void close() {
        end("it was closed by this process");
    }
}
