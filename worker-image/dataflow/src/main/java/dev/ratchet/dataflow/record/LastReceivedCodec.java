/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.record;

import com.apple.foundationdb.tuple.Versionstamp;
import dev.ratchet.circuits.type.FormatNumbers;
import dev.ratchet.store.keyspace.ValueCodec;
import dev.ratchet.store.keyspace.ValueFormatException;
import java.nio.ByteBuffer;

/**
 * A byte of format id, the sequence in 8 bytes, and the position in 12, at a place where the store can write it when it
 * commits.
 */
final class LastReceivedCodec implements ValueCodec<LastReceived> {

    private static final FormatNumbers FORMAT = new FormatNumbers(1, 1, 1);
    static final int POSITION_OFFSET = 1 + Long.BYTES;
    private static final int LENGTH = POSITION_OFFSET + Versionstamp.LENGTH;

    @Override
    public byte[] encode(LastReceived value, int level) {
        return ByteBuffer.allocate(LENGTH)
                .put((byte) FORMAT.at(level))
                .putLong(value.sequence())
                .put(value.position().getBytes())
                .array();
    }

    @Override
    public LastReceived decode(byte[] bytes) {
        if (bytes.length != LENGTH || !FORMAT.reads(bytes[0])) {
            throw new ValueFormatException("What was received of a producer has " + LENGTH + " bytes of format "
                    + FORMAT + ", not " + bytes.length + " bytes");
        }
        ByteBuffer value = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        byte[] position = new byte[Versionstamp.LENGTH];
        long sequence = value.getLong();
        value.get(position);
        return new LastReceived(sequence, Versionstamp.fromBytes(position));
    }

    @Override
    public String describe(LastReceived value) {
        return "sequence " + value.sequence() + " at " + LogPosition.shown(value.position());
    }
}
