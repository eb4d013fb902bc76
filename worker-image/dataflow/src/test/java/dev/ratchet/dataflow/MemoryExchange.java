/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.dataflow.exchange.ExchangePeer;
import dev.ratchet.dataflow.exchange.ExchangeSession;
import dev.ratchet.dataflow.exchange.ExchangeTransport;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An exchange within one process: where one session of a run closes, all of them are lost. */
final class MemoryExchange implements ExchangeTransport {

    private final Map<Long, Meeting> runs = new HashMap<>();

    @Override
    public String address() {
        return "memory:1";
    }

    @Override
    public synchronized ExchangeSession join(long run, int self, List<ExchangePeer> peers) {
        return new Session(runs.computeIfAbsent(run, number -> new Meeting(peers.size())), self);
    }

    private static final class Meeting {
        private final int count;
        private ByteBuffer[][] arriving;
        private ByteBuffer[][] met;
        private int arrived;
        private long meetings;
        private boolean isLost;
        private final List<Runnable> listeners = new ArrayList<>();

        Meeting(int count) {
            this.count = count;
            this.arriving = new ByteBuffer[count][];
            this.met = arriving;
        }

        synchronized ByteBuffer[][] meet(int process, ByteBuffer[] frames) {
            arriving[process] = frames;
            arrived++;
            long meeting = meetings;
            if (arrived == count) {
                met = arriving;
                arriving = new ByteBuffer[count][];
                arrived = 0;
                meetings++;
                notifyAll();
            }
            while (meetings == meeting && !isLost) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    isLost = true;
                }
            }
            if (meetings == meeting) {
                throw new PeersLostException("a session of the run was closed");
            }
            return met;
        }

        void lose() {
            List<Runnable> told;
            synchronized (this) {
                if (isLost) {
                    return;
                }
                isLost = true;
                notifyAll();
                told = List.copyOf(listeners);
            }
            told.forEach(Runnable::run);
        }

        void onLost(Runnable listener) {
            synchronized (this) {
                if (!isLost) {
                    listeners.add(listener);
                    return;
                }
            }
            listener.run();
        }
    }

    private record Session(Meeting meeting, int self) implements ExchangeSession {

        @Override
        public int count() {
            return meeting.count;
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            ByteBuffer[][] sent = meeting.meet(self, frames);
            ByteBuffer[] received = new ByteBuffer[count()];
            for (int process = 0; process < received.length; process++) {
                ByteBuffer frame = sent[process][self];
                received[process] = process == self
                        ? frame
                        : ByteBuffer.allocate(frame.remaining())
                                .put(frame.duplicate())
                                .flip();
            }
            return received;
        }

        @Override
        public void onLost(Runnable listener) {
            meeting.onLost(listener);
        }

        @Override
        public void close() {
            meeting.lose();
        }
    }
}
