/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import dev.ratchet.simulation.world.VirtualProcess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of circuits over a {@link Network}: each frame arrives once, as late as the link lets it. A process that
 * is dead, has left the run or can not be reached for {@link #LOST_MILLIS} is lost, as with connections that break and
 * are made anew. Waits on virtual threads; everything else is events of the process.
 */
public final class SimulatedExchange implements ExchangeTransport {

    private static final long LOOK_MILLIS = 500;
    private static final long LOST_MILLIS = 8_000;

    /** The processes of one world that reach each other. */
    public static final class Hub {
        private final Network network;
        private final Map<String, SimulatedExchange> exchanges = new HashMap<>();

        public Hub(Network network) {
            this.network = network;
        }
    }

    private final Hub hub;
    private final VirtualProcess process;
    private final Map<Long, Inbox> inboxes = new TreeMap<>();
    private @Nullable Session inForce;
    private long highestRun;

    /** What has come for one run, be it before this process has joined it. */
    private static final class Inbox {
        final Map<Integer, Map<Long, ByteBuffer>> frames = new HashMap<>();
        final Set<Integer> left = new HashSet<>();
    }

    public SimulatedExchange(Hub hub, VirtualProcess process) {
        this.hub = hub;
        this.process = process;
        hub.exchanges.put(process.name(), this);
    }

    @Override
    public String address() {
        return process.name();
    }

    @Override
    public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
        Session session = new Session(run, self, peers);
        Session former = inForce;
        if (former != null && former.run >= run) {
            session.end("this process has joined run " + former.run + " already");
            return session;
        }
        inForce = session;
        highestRun = run;
        if (former != null) {
            former.close();
        }
        inboxes.keySet().removeIf(other -> other < run);
        session.look();
        return session;
    }

    private Inbox inbox(long run) {
        return inboxes.computeIfAbsent(run, number -> new Inbox());
    }

    private @Nullable Session session(long run) {
        Session session = inForce;
        return session != null && session.run == run ? session : null;
    }

    private void arrived(long run, int from, SimulatedExchange sender, int self, long meeting, ByteBuffer frame) {
        Session session = session(run);
        if (run < highestRun || (session != null && session.over != null)) {
            hub.network.deliver(process, sender.process, () -> sender.left(run, self));
            return;
        }
        inbox(run).frames.computeIfAbsent(from, peer -> new HashMap<>()).put(meeting, frame);
        if (session != null) {
            session.wake();
        }
    }

    private void left(long run, int peer) {
        if (run < highestRun) {
            return;
        }
        inbox(run).left.add(peer);
        Session session = session(run);
        if (session != null) {
            session.end("process " + peer + " has left run " + run);
        }
    }

    private final class Session implements ExchangeSession {
        private final long run;
        private final int self;
        private final List<ExchangePeer> peers;
        private final long[] unreachedMillis;
        private final List<Runnable> listeners = new ArrayList<>();
        private @Nullable Thread waiting;
        private @Nullable String over;
        private long meeting;

        Session(long run, int self, List<ExchangePeer> peers) {
            this.run = run;
            this.self = self;
            this.peers = List.copyOf(peers);
            this.unreachedMillis = new long[peers.size()];
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int count() {
            return peers.size();
        }

        private @Nullable SimulatedExchange exchange(int peer) {
            return hub.exchanges.get(peers.get(peer).address());
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            long now = meeting;
            meeting++;
            for (int peer = 0; peer < frames.length; peer++) {
                SimulatedExchange other = exchange(peer);
                if (peer != self && over == null && other != null) {
                    ByteBuffer frame = frames[peer].duplicate();
                    int receiver = peer;
                    hub.network.deliver(
                            process,
                            other.process,
                            () -> other.arrived(run, self, SimulatedExchange.this, receiver, now, frame));
                }
            }
            ByteBuffer[] received = new ByteBuffer[frames.length];
            received[self] = frames[self];
            for (int peer = 0; peer < frames.length; peer++) {
                if (peer != self) {
                    received[peer] = receive(peer, now);
                }
            }
            return received;
        }

        private ByteBuffer receive(int peer, long now) {
            while (true) {
                String ended = over;
                if (ended != null) {
                    throw new PeersLostException(ended);
                }
                ByteBuffer frame =
                        inbox(run).frames.getOrDefault(peer, new HashMap<>()).remove(now);
                if (frame != null) {
                    return frame;
                }
                waiting = Thread.currentThread();
                LockSupport.park(this);
                waiting = null;
            }
        }

        private void wake() {
            Thread thread = waiting;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }

        /** Looks now and then which of the others can be reached. */
        private void look() {
            if (over != null) {
                return;
            }
            for (int peer = 0; peer < peers.size(); peer++) {
                SimulatedExchange other = exchange(peer);
                boolean reached = other != null
                        && !other.process.isDead()
                        && !hub.network.isCut(process, other.process)
                        && !hub.network.isCut(other.process, process);
                unreachedMillis[peer] = reached ? 0 : unreachedMillis[peer] + LOOK_MILLIS;
                if (inbox(run).left.contains(peer)) {
                    end("process " + peer + " has left run " + run);
                } else if (unreachedMillis[peer] > LOST_MILLIS) {
                    end("process " + peer + " can not be reached");
                }
            }
            process.schedule(LOOK_MILLIS, this::look);
        }

        private void end(String reason) {
            if (over != null) {
                return;
            }
            over = reason;
            for (int peer = 0; peer < peers.size(); peer++) {
                SimulatedExchange other = exchange(peer);
                if (peer != self && other != null) {
                    hub.network.deliver(process, other.process, () -> other.left(run, self));
                }
            }
            wake();
            List.copyOf(listeners).forEach(Runnable::run);
            listeners.clear();
        }

        @Override
        public void onLost(Runnable listener) {
            if (over == null) {
                listeners.add(listener);
            } else {
                listener.run();
            }
        }

        @Override
        public void close() {
            end("process " + self + " has left run " + run);
        }
    }
}
