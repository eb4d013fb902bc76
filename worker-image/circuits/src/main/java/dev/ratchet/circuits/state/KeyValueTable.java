/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.state;

import dev.ratchet.circuits.batch.BatchBuilder;
import dev.ratchet.circuits.batch.Cursor;
import dev.ratchet.circuits.batch.MergedCursor;
import dev.ratchet.circuits.trace.Trace;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.RowBuffer;
import dev.ratchet.circuits.type.RowHash;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.circuits.type.TypeKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A table as the paper's database has it: one value for each key, both bytes. It is a trace of rows (key, value) of
 * weight 1, so that it is committed, cut by hash and moved like any other. For what an operator remembers beside its
 * rows: a change costs a batch. One thread at a time.
 */
public final class KeyValueTable {

    static final RowSchema SCHEMA =
            new RowSchema(List.of(ColumnType.of(TypeKind.VARBINARY)), List.of(ColumnType.of(TypeKind.VARBINARY)));

    private final Trace trace;
    private final BatchBuilder change = new BatchBuilder(SCHEMA);
    private final RowBuffer probe = new RowBuffer(2);

    KeyValueTable(Trace trace) {
        this.trace = trace;
    }

    public Optional<byte[]> get(byte[] key) {
        probe.setBytes(0, key, 0, key.length);
        MergedCursor cursor = trace.probe();
        return cursor.seekKey(RowHash.ofKey(SCHEMA, probe), probe) ? Optional.of(value(cursor)) : Optional.empty();
    }

    public void put(byte[] key, byte[] value) {
        Optional<byte[]> before = get(key);
        if (before.isEmpty() || !Arrays.equals(before.get(), value)) {
            before.ifPresent(old -> add(key, old, -1));
            add(key, value, 1);
            trace.insert(change.build());
        }
    }

    /** Removes a key, if it is there. */
    public void delete(byte[] key) {
        get(key).ifPresent(old -> {
            add(key, old, -1);
            trace.insert(change.build());
        });
    }

    /** All keys (column 0) and values (column 1), in the order of the keys' hashes; right until the next change. */
    public Cursor cursor() {
        return trace.cursor();
    }

    private void add(byte[] key, byte[] value, long weight) {
        change.setBytes(0, key, 0, key.length);
        change.setBytes(1, value, 0, value.length);
        change.add(weight);
    }

    private static byte[] value(Cursor cursor) {
        int from = cursor.offsetAt(1);
        return Arrays.copyOfRange(cursor.bytesAt(1), from, from + cursor.lengthAt(1));
    }
}
