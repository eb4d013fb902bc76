/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Goes through changes in memory without an object per row. A part of {@code parts} sees the changes of every event
 * whose number falls to it, so that a row and its taking back stay together and in order. One thread at a time.
 */
public final class ChangeReader {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final NexmarkTable[] TABLES = NexmarkTable.values();
    private static final int COLUMNS_MAX = 10;

    private final byte[] bytes;
    private final int part;
    private final int parts;
    private final int[] offsets = new int[COLUMNS_MAX];
    private final int[] lengths = new int[COLUMNS_MAX];
    private int end;
    private long event;
    private NexmarkTable table = NexmarkTable.PERSON;
    private boolean goes;

    public ChangeReader(byte[] bytes) {
        this(bytes, 0, 1);
    }

    public ChangeReader(byte[] bytes, int part, int parts) {
        this.bytes = bytes;
        this.part = part;
        this.parts = parts;
    }

    /** Goes to the next change of this part; false behind the last. */
    public boolean next() {
        while (end < bytes.length) {
            int at = end + Integer.BYTES;
            end = at + (int) INT.get(bytes, end);
            event = (long) LONG.get(bytes, at + 1);
            if (parts == 1 || event % parts == part) {
                goes = bytes[at] < 0;
                table = TABLES[bytes[at] & ~ChangeFile.GOES & 0xff];
                readColumns(at + 1 + Long.BYTES);
                return true;
            }
        }
        return false;
    }

    private void readColumns(int from) {
        int at = from;
        List<NexmarkTable.Column> columns = table.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).kind() == NexmarkTable.Kind.TEXT) {
                lengths[i] = (short) SHORT.get(bytes, at) & 0xffff;
                offsets[i] = at + Short.BYTES;
                at = offsets[i] + lengths[i];
            } else {
                offsets[i] = at;
                at += Long.BYTES;
            }
        }
    }

    /** Where the next change begins. */
    int end() {
        return end;
    }

    public NexmarkTable table() {
        return table;
    }

    /** The number of the event, which its coming and its going share. */
    public long event() {
        return event;
    }

    /** 1 where the row comes, −1 where it goes. */
    public int weight() {
        return goes ? -1 : 1;
    }

    /** A number, or the milliseconds of a time. */
    public long numberAt(int column) {
        return (long) LONG.get(bytes, offsets[column]);
    }

    /** Where the bytes of texts are: those of all changes. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where a text begins. */
    public int offsetAt(int column) {
        return offsets[column];
    }

    /** How many bytes a text has. */
    public int lengthAt(int column) {
        return lengths[column];
    }

    public String textAt(int column) {
        return new String(bytes, offsets[column], lengths[column], StandardCharsets.UTF_8);
    }
}
