/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import dev.ratchet.circuits.type.FormatNumbers;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The first message over a connection: who calls whom, in which run.
 *
 * @param run its number
 * @param from number of the process that calls
 * @param fromIncarnation of its seat
 * @param to number of the process that is called
 * @param toIncarnation of its seat
 * @param attaches whether frames are to follow; otherwise only the answer counts
 * @param received number of the last frame that the caller has
 */
record Hello(long run, int from, long fromIncarnation, int to, long toIncarnation, boolean attaches, long received) {

    /**
     * Format of everything over a connection, the rows of a plan included; raised when that changes. Who calls chooses
     * it, by the level of recorded formats: all that live read what is written in that level.
     */
    private static final FormatNumbers FORMAT = new FormatNumbers(2, 2, 1);

    Hello having(long frame) {
        return new Hello(run, from, fromIncarnation, to, toIncarnation, attaches, frame);
    }

    void write(DataOutputStream out, int level) throws IOException {
        out.writeInt(FORMAT.at(level));
        out.writeLong(run);
        out.writeInt(from);
        out.writeLong(fromIncarnation);
        out.writeInt(to);
        out.writeLong(toIncarnation);
        out.writeBoolean(attaches);
        out.writeLong(received);
        out.flush();
    }

    static Hello read(DataInputStream in) throws IOException {
        int format = in.readInt();
        if (!FORMAT.reads(format)) {
            throw new IOException("The caller speaks format " + format + " of the exchange, this process " + FORMAT);
        }
        return new Hello(
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readBoolean(),
                in.readLong());
    }

    /** What the process that was called says to a {@link Hello}. */
    enum Verdict {
        /** Both are in the run: frames may follow. */
        JOINED,
        /** The process that was called has not heard of the run yet. */
        LATER,
        /** The run is over for the process that was called, or it is not who the caller looks for. */
        OVER
    }

    /**
     * The answer.
     *
     * @param reason for whoever reads the caller's log
     * @param received number of the last frame that the process that was called has
     */
    record Answer(Verdict verdict, String reason, long received) {

        void write(DataOutputStream out) throws IOException {
            out.writeUTF(verdict.name());
            out.writeUTF(reason);
            out.writeLong(received);
            out.flush();
        }

        static Answer read(DataInputStream in) throws IOException {
            String verdict = in.readUTF();
            for (Verdict known : Verdict.values()) {
                if (known.name().equals(verdict)) {
                    return new Answer(known, in.readUTF(), in.readLong());
                }
            }
            throw new IOException("Unknown answer " + verdict + " to a hello");
        }
    }
}
