/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One connection and how frames look on it. One thread reads, one at a time writes; any thread may {@link #cut} it,
 * which ends whoever waits in it. Bytes of a long frame are signs of life too, so that no ping has to pass it.
 */
final class Connection {

    private static final int FRAME = 1;
    private static final int PING = 2;
    private static final int BYE = 3;
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int LONGEST_REASON = 1_000;

    private final ByteStream stream;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** What arrives. */
    interface Receiver {
        /** Whether a frame is not known yet; the bytes of one that is known are skipped. */
        boolean expects(long number) throws IOException;

        void frame(long number, ByteBuffer frame) throws IOException;

        /** The other side has all frames up to this one. */
        void acknowledged(long number);

        /** The other side leaves the run. */
        void bye(String reason);
    }

    Connection(ByteStream stream) throws IOException {
        this.stream = stream;
        this.in = new DataInputStream(stream.in());
        this.out = new DataOutputStream(new BufferedOutputStream(stream.out(), BUFFER_BYTES));
    }

    DataInputStream in() {
        return in;
    }

    DataOutputStream out() {
        return out;
    }

    void silentAfter(int millis) throws IOException {
        stream.silentAfter(millis);
    }

    void writeFrame(long number, ByteBuffer frame, long received) throws IOException {
        out.writeByte(FRAME);
        out.writeLong(received);
        out.writeLong(number);
        out.writeInt(frame.remaining());
        if (frame.hasArray()) {
            out.write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
        } else {
            byte[] piece = new byte[Math.min(frame.remaining(), BUFFER_BYTES)];
            for (ByteBuffer rest = frame.duplicate(); rest.hasRemaining(); ) {
                int length = Math.min(rest.remaining(), piece.length);
                rest.get(piece, 0, length);
                out.write(piece, 0, length);
            }
        }
        out.flush();
    }

    void writePing(long received) throws IOException {
        out.writeByte(PING);
        out.writeLong(received);
        out.flush();
    }

    void writeBye(long received, String reason) throws IOException {
        out.writeByte(BYE);
        out.writeLong(received);
        out.writeUTF(reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
        out.flush();
    }

    /** Reads one message. @throws IOException if there is none, none came in time, or it breaks the rules */
    void read(Receiver receiver, int frameLimitBytes) throws IOException {
        int kind = in.readUnsignedByte();
        receiver.acknowledged(in.readLong());
        switch (kind) {
            case PING -> {}
            case BYE -> receiver.bye(in.readUTF());
            case FRAME -> readFrame(receiver, frameLimitBytes);
            default -> throw new IOException("Unknown message " + kind + " over the exchange");
        }
    }

    private void readFrame(Receiver receiver, int frameLimitBytes) throws IOException {
        long number = in.readLong();
        int length = in.readInt();
        if (length < 0 || length > frameLimitBytes) {
            throw new IOException("A frame of " + length + " bytes, at most " + frameLimitBytes + " are accepted");
        }
        if (!receiver.expects(number)) {
            in.skipNBytes(length);
            return;
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        receiver.frame(number, ByteBuffer.wrap(frame));
    }

    void cut() {
        stream.cut();
    }
}
