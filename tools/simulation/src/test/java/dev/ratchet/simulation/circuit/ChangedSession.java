/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A session of an exchange that does one thing wrong. */
abstract class ChangedSession implements ExchangeSession {

    final ExchangeSession real;

    ChangedSession(ExchangeSession real) {
        this.real = real;
    }

    /** A transport whose sessions are changed. */
    static ExchangeTransport each(ExchangeTransport exchange, UnaryOperator<ExchangeSession> changed) {
        return new ExchangeTransport() {
            @Override
            public String address() {
                return exchange.address();
            }

            @Override
            public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
                return changed.apply(exchange.join(run, self, peers));
            }
        };
    }

    /** A transport that numbers the processes of each run in another way. */
    static ExchangeTransport renumbered(ExchangeTransport exchange) {
        return new ExchangeTransport() {
            @Override
            public String address() {
                return exchange.address();
            }

            @Override
            public ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
                int by = (int) (run % peers.size());
                List<ExchangePeer> rotated = new ArrayList<>(peers);
                Collections.rotate(rotated, by);
                return exchange.join(run, (self + by) % peers.size(), rotated);
            }
        };
    }

    @Override
    public int self() {
        return real.self();
    }

    @Override
    public int count() {
        return real.count();
    }

    @Override
    public int formatLevel() {
        return real.formatLevel();
    }

    @Override
    public void onLost(Runnable listener) {
        real.onLost(listener);
    }

    @Override
    public Optional<ExchangePeer> gone() {
        return real.gone();
    }

    @Override
    public void close() {
        real.close();
    }

    /** Gives what a process has sent before in place of what it sends, now and then. */
    static final class Repeating extends ChangedSession {

        private static final int PERIOD = 23;

        private final List<ByteBuffer[]> before = new ArrayList<>();

        Repeating(ExchangeSession real) {
            super(real);
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            ByteBuffer[] received = real.exchange(frames);
            ByteBuffer[] kept = new ByteBuffer[received.length];
            Arrays.setAll(kept, peer -> received[peer].duplicate());
            before.add(kept);
            return before.size() % PERIOD == 0 ? before.get(before.size() - 2) : received;
        }
    }

    /** Sends from the first process what is for one of two others to the other one. */
    static final class Misrouting extends ChangedSession {

        Misrouting(ExchangeSession real) {
            super(real);
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            ByteBuffer[] sent = frames.clone();
            if (self() == 0 && count() > 2) {
                sent[1] = frames[2];
                sent[2] = frames[1];
            }
            return real.exchange(sent);
        }
    }
}
