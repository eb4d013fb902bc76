/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.WireBuffer;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rows on their way between the processes of a circuit: each thread writes what it sends into buffers of its own, one
 * for each process, which become one frame per process when all threads have met. A frame says of each piece for which
 * exchange and thread it is; exchanges have the same numbers in all processes, as these make the same plan in the same
 * order.
 */
final class Mail {

    /** Takes what has come for a thread of this process. */
    @FunctionalInterface
    interface Box {
        void deliver(int numberInProcess, ByteBuffer rows);
    }

    private static final int HEAD = 12;

    private final Sharding sharding;
    private final CircuitPeers peers;
    private final List<Box> boxes = new ArrayList<>();
    private final WireBuffer[][] written;

    Mail(Sharding sharding, CircuitPeers peers) {
        this.sharding = sharding;
        this.peers = peers;
        this.written = new WireBuffer[sharding.threadsHere()][peers.count()];
        for (WireBuffer[] ofThread : written) {
            for (int process = 0; process < ofThread.length; process++) {
                ofThread[process] = new WireBuffer();
            }
        }
    }

    /** Opens a box while the circuit is made; its number. */
    int open(Box box) {
        boxes.add(box);
        return boxes.size() - 1;
    }

    /** The level of recorded formats in which rows are written. */
    int formatLevel() {
        return peers.formatLevel();
    }

    /** Sends rows from a thread of this process to one of another. */
    void post(int from, int box, int to, Consumer<WireBuffer> rows) {
        WireBuffer into = written[sharding.numberInProcess(from)][sharding.processOf(to)];
        into.room(HEAD).putInt(box).putInt(sharding.numberInProcess(to)).putInt(0);
        int begin = into.size();
        rows.accept(into);
        into.setInt(begin - Integer.BYTES, into.size() - begin);
    }

    /** Bytes that wait for a process. */
    int size(int process) {
        int size = 0;
        for (WireBuffer[] ofThread : written) {
            size = Math.addExact(size, ofThread[process].size());
        }
        return size;
    }

    /** Moves what waits for a process into its frame. */
    void take(int process, ByteBuffer frame) {
        for (WireBuffer[] ofThread : written) {
            frame.put(ofThread[process].written());
            ofThread[process].clear();
        }
    }

    /** Puts what has come from a process into the boxes. */
    void deliver(int process, ByteBuffer frame) {
        try {
            ByteBuffer rest = frame.order(ByteOrder.LITTLE_ENDIAN);
            while (rest.hasRemaining()) {
                int box = rest.getInt();
                int thread = rest.getInt();
                int length = rest.getInt();
                boxes.get(box).deliver(thread, rest.slice(rest.position(), length));
                rest.position(rest.position() + length);
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "Process " + process + " of the circuit has sent rows for operators that are not here; all"
                            + " processes must run the same program with the same number of threads",
                    e);
        }
    }
}
