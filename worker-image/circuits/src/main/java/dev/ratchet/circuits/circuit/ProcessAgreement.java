/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.batch.BatchWire;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.ObjectValues;
import dev.ratchet.circuits.type.RowSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of a circuit agree: all tell all. Each frame begins with what it is about and how many were sent
 * before, so that processes that have gone apart notice it. One thread at a time.
 */
final class ProcessAgreement implements Agreement {

    private static final int HEAD = 9;
    private static final byte ROWS = 1;
    private static final byte NUMBER = 2;
    private static final byte REJECTION = 3;
    private static final byte WORK = 4;
    private static final byte ERRORS = 5;

    private final CircuitPeers peers;
    private final Plan plan;
    private final Mail mail;
    private long meetings;

    ProcessAgreement(CircuitPeers peers, Plan plan, Mail mail) {
        this.peers = peers;
        this.plan = plan;
        this.mail = mail;
    }

    @Override
    public void exchange(int party) {
        ByteBuffer[] frames = new ByteBuffer[peers.count()];
        for (int process = 0; process < frames.length; process++) {
            frames[process] = frame(ROWS, mail.size(process));
            mail.take(process, frames[process]);
        }
        ByteBuffer[] received = meet(ROWS, frames);
        for (int process = 0; process < received.length; process++) {
            mail.deliver(process, received[process]);
        }
    }

    @Override
    public int least(int party, int value) {
        int least = value;
        for (ByteBuffer said : tellAll(frame(NUMBER, Integer.BYTES).putInt(value))) {
            least = Math.min(least, said.getInt());
        }
        return least;
    }

    @Override
    public @Nullable StepRejectedException first(int party, @Nullable StepRejectedException rejection) {
        byte[] told = rejection == null ? new byte[0] : encode(rejection);
        StepRejectedException first = null;
        for (ByteBuffer said : tellAll(frame(REJECTION, told.length).put(told))) {
            if (first == null && said.hasRemaining()) {
                first = decode(said);
            }
        }
        return first;
    }

    /** The numbers that any process names. */
    BitSet union(BitSet mine) {
        byte[] told = mine.toByteArray();
        BitSet all = new BitSet();
        for (ByteBuffer said : tellAll(frame(WORK, told.length).put(told))) {
            all.or(BitSet.valueOf(said));
        }
        return all;
    }

    /** The errors of all processes. */
    Batch errors(Batch mine) {
        ByteBuffer told = BatchWire.encode(mine, peers.formatLevel());
        List<Batch> all = new ArrayList<>();
        for (ByteBuffer said : tellAll(frame(ERRORS, told.remaining()).put(told))) {
            all.add(BatchWire.decode(said, StepErrors.SCHEMA));
        }
        return BatchMerge.merge(StepErrors.SCHEMA, all);
    }

    private ByteBuffer frame(byte kind, int size) {
        return ByteBuffer.allocate(HEAD + size)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(kind)
                .putLong(meetings);
    }

    private ByteBuffer[] tellAll(ByteBuffer frame) {
        ByteBuffer[] frames = new ByteBuffer[peers.count()];
        for (int process = 0; process < frames.length; process++) {
            frames[process] = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }
        return meet(frame.get(0), frames);
    }

    private ByteBuffer[] meet(byte kind, ByteBuffer[] frames) {
        for (ByteBuffer frame : frames) {
            frame.flip();
        }
        ByteBuffer[] received = peers.exchange(frames);
        for (int process = 0; process < received.length; process++) {
            ByteBuffer frame = received[process].order(ByteOrder.LITTLE_ENDIAN);
            byte other = frame.remaining() < HEAD ? 0 : frame.get();
            long meeting = other == 0 ? -1 : frame.getLong();
            if (other != kind || meeting != meetings) {
                throw new IllegalStateException("Process " + process + " of the circuit is at meeting " + meeting
                        + " of kind " + other + ", this one at " + meetings + " of kind " + kind
                        + "; all must run the same release and program with the same rows");
            }
        }
        meetings++;
        return received;
    }

    /** The columns of a key, in the types of the table, as one row. */
    private RowSchema keyOf(String table, List<Integer> columns) {
        Plan.Table of = plan.tables().get(table);
        if (of == null) {
            throw new IllegalStateException("A process of the circuit rejects rows of table " + table
                    + ", which is not in the program; all must run the same program");
        }
        List<ColumnType> types =
                columns.stream().map(column -> of.schema().column(column)).toList();
        return new RowSchema(types, List.of());
    }

    private byte[] encode(StepRejectedException rejection) {
        RowSchema schema = keyOf(rejection.table(), rejection.keyColumns());
        BatchBuilder key = new BatchBuilder(schema);
        for (int column = 0; column < schema.columnCount(); column++) {
            ObjectValues.write(schema.column(column), rejection.key().get(column), key, column);
        }
        key.add(1);
        ByteBuffer row = BatchWire.encode(key.build(), peers.formatLevel());
        byte[] table = rejection.table().getBytes(StandardCharsets.UTF_8);
        byte[] message = String.valueOf(rejection.getMessage()).getBytes(StandardCharsets.UTF_8);
        ByteBuffer out =
                ByteBuffer.allocate(12 + table.length + message.length + 4 * schema.columnCount() + row.remaining());
        out.putInt(table.length).put(table).putInt(message.length).put(message).putInt(schema.columnCount());
        rejection.keyColumns().forEach(out::putInt);
        return out.put(row).array();
    }

    private StepRejectedException decode(ByteBuffer said) {
        ByteBuffer in = said.order(ByteOrder.BIG_ENDIAN);
        String table = text(in);
        String message = text(in);
        List<Integer> columns = new ArrayList<>();
        for (int count = in.getInt(); count > 0; count--) {
            columns.add(in.getInt());
        }
        RowSchema schema = keyOf(table, columns);
        var row = BatchWire.decode(in, schema).cursor();
        List<@Nullable Object> key = new ArrayList<>();
        for (int column = 0; column < schema.columnCount(); column++) {
            key.add(ObjectValues.read(schema.column(column), row, column));
        }
        return new StepRejectedException(table, columns, key, message);
    }

    private static String text(ByteBuffer in) {
        byte[] text = new byte[in.getInt()];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
