/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.circuits.circuit.PeersLostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/** The exchange of processes that share this JVM's memory: all that are made with one {@link Hub} reach each other. */
public final class MemoryExchange implements ExchangeTransport {

    private final Hub hub;
    private final String address;
    private MemorySession inForce;

    /** @param address anything that no other process of the hub has */
    public MemoryExchange(Hub hub, String address) {
        this.hub = hub;
        this.address = address;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
        synchronized (hub) {
            MemorySession former = inForce;
            MemorySession session = new MemorySession(hub, run, self, peers.size());
            if (former != null && former.run >= run) {
                session.over = "this process has joined run " + former.run + " already";
                return session;
            }
            inForce = session;
            if (former != null) {
                former.close();
            }
            List<MemorySession> room = hub.rooms.computeIfAbsent(run, key -> new ArrayList<>());
            if (room.stream().anyMatch(other -> other.over != null)) {
                session.over = "another process has left the run";
            }
            room.add(session);
            hub.notifyAll();
            return session;
        }
    }

    /** Where processes meet. */
    public static final class Hub {
        private final Map<Long, List<MemorySession>> rooms = new HashMap<>();
        private boolean isHeld;

        /** Lets nothing through, so that no process ends the step that it takes, until it is called with false. */
        public synchronized void hold(boolean held) {
            isHeld = held;
            notifyAll();
        }
    }

    private static final class MemorySession implements ExchangeSession {
        private final Hub hub;
        private final long run;
        private final int self;
        private final List<Queue<ByteBuffer>> incoming = new ArrayList<>();
        private final List<Runnable> listeners = new ArrayList<>();
        private String over;

        MemorySession(Hub hub, long run, int self, int count) {
            this.hub = hub;
            this.run = run;
            this.self = self;
            for (int peer = 0; peer < count; peer++) {
                incoming.add(new ArrayDeque<>());
            }
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int count() {
            return incoming.size();
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            synchronized (hub) {
                List<MemorySession> room = hub.rooms.get(run);
                while (over == null && (hub.isHeld || room.size() < count())) {
                    await();
                }
                if (over == null) {
                    room.forEach(peer -> peer.incoming
                            .get(self)
                            .add(peer.self == self ? frames[self] : frames[peer.self].duplicate()));
                    hub.notifyAll();
                }
                ByteBuffer[] received = new ByteBuffer[count()];
                for (int peer = 0; peer < received.length; peer++) {
                    while (over == null && incoming.get(peer).isEmpty()) {
                        await();
                    }
                    if (over != null) {
                        throw new PeersLostException(over);
                    }
                    received[peer] = incoming.get(peer).remove();
                }
                return received;
            }
        }

        private void await() {
            try {
                hub.wait();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new PeersLostException("This thread was stopped", stopped);
            }
        }

        @Override
        public void onLost(Runnable listener) {
            synchronized (hub) {
                if (over == null) {
                    listeners.add(listener);
                    return;
                }
            }
            listener.run();
        }

        @Override
        public Optional<ExchangePeer> gone() {
            return Optional.empty();
        }

        @Override
        public void close() {
            List<Runnable> told = new ArrayList<>();
            synchronized (hub) {
                for (MemorySession session : hub.rooms.getOrDefault(run, List.of())) {
                    if (session.over == null) {
                        session.over = "process " + self + " has left run " + run;
                        told.addAll(session.listeners);
                    }
                }
                hub.notifyAll();
            }
            told.forEach(Runnable::run);
        }
    }
}
