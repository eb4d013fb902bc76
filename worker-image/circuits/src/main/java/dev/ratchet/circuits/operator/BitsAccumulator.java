/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.operator;

import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowView;
import dev.ratchet.circuits.type.RowWriter;
import dev.ratchet.circuits.type.TypeKind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** BIT_AND, BIT_OR and BIT_XOR of integers: how many have each bit, so that one can be taken back. */
final class BitsAccumulator extends Accumulator {

    private static final List<ColumnType> COLUMNS =
            List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.of(TypeKind.VARBINARY));

    private final AggregateKind kind;
    private final int argument;
    private final long[] having = new long[Long.SIZE];
    private long count;

    BitsAccumulator(AggregateKind kind, int argument) {
        this.kind = kind;
        this.argument = argument;
    }

    @Override
    List<ColumnType> columns() {
        return COLUMNS;
    }

    @Override
    void clear() {
        count = 0;
        Arrays.fill(having, 0);
    }

    /** Stored are the bits that any has, and of each in turn how many have it. */
    @Override
    void merge(RowView state, int at) {
        count = Math.addExact(count, state.longAt(at));
        ByteBuffer in = ByteBuffer.wrap(state.bytesAt(at + 1), state.offsetAt(at + 1), state.lengthAt(at + 1));
        for (long bits = in.getLong(); bits != 0; bits &= bits - 1) {
            int bit = Long.numberOfTrailingZeros(bits);
            having[bit] = Math.addExact(having[bit], in.getLong());
        }
    }

    @Override
    void add(RowView row, long weight) {
        count = Math.addExact(count, weight);
        for (long bits = row.longAt(argument); bits != 0; bits &= bits - 1) {
            int bit = Long.numberOfTrailingZeros(bits);
            having[bit] = Math.addExact(having[bit], weight);
        }
    }

    @Override
    boolean isZero() {
        return count == 0 && any() == 0;
    }

    private long any() {
        long bits = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            bits |= having[bit] == 0 ? 0 : 1L << bit;
        }
        return bits;
    }

    @Override
    void store(RowWriter out, int at) {
        out.setLong(at, count);
        long bits = any();
        ByteBuffer bytes = ByteBuffer.allocate((1 + Long.bitCount(bits)) * Long.BYTES);
        bytes.putLong(bits);
        for (; bits != 0; bits &= bits - 1) {
            bytes.putLong(having[Long.numberOfTrailingZeros(bits)]);
        }
        out.setBytes(at + 1, bytes.array(), 0, bytes.capacity());
    }

    @Override
    void result(RowWriter out, int column) {
        if (count <= 0) {
            out.setNull(column);
            return;
        }
        long result = 0;
        for (int bit = 0; bit < Long.SIZE; bit++) {
            boolean set =
                    switch (kind) {
                        case BIT_AND -> having[bit] >= count;
                        case BIT_OR -> having[bit] > 0;
                        default -> (having[bit] & 1) != 0;
                    };
            result |= set ? 1L << bit : 0;
        }
        out.setLong(column, result);
    }
}
