/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.circuit.CircuitPeers;
import dev.ratchet.circuits.circuit.PeersLostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The processes of a circuit within one: each meeting waits for all, unless the run was ended. */
public final class MemoryPeers {

    private final int count;
    private ByteBuffer[][] arriving;
    private ByteBuffer[][] met;
    private int arrived;
    private long meetings;
    private String over = "";

    public MemoryPeers(int count) {
        this.count = count;
        this.arriving = new ByteBuffer[count][];
        this.met = arriving;
    }

    /** How each process sees the others, by its number. */
    public List<CircuitPeers> all() {
        List<CircuitPeers> peers = new ArrayList<>();
        for (int process = 0; process < count; process++) {
            peers.add(new Peer(process));
        }
        return peers;
    }

    /** Meetings that all have come to. */
    public synchronized long meetings() {
        return meetings;
    }

    /** Ends the run: who waits for others is told why. */
    public synchronized void end(String why) {
        over = why;
        notifyAll();
    }

    private synchronized ByteBuffer[][] meet(int process, ByteBuffer[] frames) {
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
        while (meetings == meeting && over.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                over = "interrupted";
            }
        }
        if (meetings == meeting) {
            throw new PeersLostException(over);
        }
        return met;
    }

    private final class Peer implements CircuitPeers {
        private final int self;

        Peer(int self) {
            this.self = self;
        }

        @Override
        public int self() {
            return self;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public ByteBuffer[] exchange(ByteBuffer[] frames) {
            ByteBuffer[][] sent = meet(self, frames);
            ByteBuffer[] received = new ByteBuffer[count];
            for (int process = 0; process < count; process++) {
                ByteBuffer frame = sent[process][self];
                received[process] = process == self ? frame : copy(frame);
            }
            return received;
        }

        /** What a connection would have carried. */
        private static ByteBuffer copy(ByteBuffer frame) {
            return ByteBuffer.allocate(frame.remaining()).put(frame.duplicate()).flip();
        }
    }
}
