/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.nexmark;

import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Goes through changes in memory without an object per row; columns are looked for where somebody asks for one, so that
 * rows of tables that nobody reads cost what their length says. A part of {@code parts} sees the changes of every event
 * whose number falls to it, so that a row and its taking back stay together and in order. One thread at a time.
 */
public final class NexmarkChangeReader {

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

    /** Where the columns of the change begin, and whether their places are known. */
    private int columnsAt;

    private boolean isRead;
    private long event;
    private NexmarkTable table = NexmarkTable.PERSON;
    private boolean goes;

    public NexmarkChangeReader(byte[] bytes) {
        this(bytes, 0, 1);
    }

    public NexmarkChangeReader(byte[] bytes, int part, int parts) {
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
                columnsAt = at + 1 + Long.BYTES;
                isRead = false;
                return true;
            }
        }
        return false;
    }

    private void readColumns() {
        if (isRead) {
            return;
        }
        isRead = true;
        int at = columnsAt;
        boolean[] isText = table.isText();
        for (int i = 0; i < isText.length; i++) {
            if (isText[i]) {
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
        readColumns();
        return (long) LONG.get(bytes, offsets[column]);
    }

    /** Where the bytes of texts are: those of all changes. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where a text begins. */
    public int offsetAt(int column) {
        readColumns();
        return offsets[column];
    }

    /** How many bytes a text has. */
    public int lengthAt(int column) {
        readColumns();
        return lengths[column];
    }

    public String textAt(int column) {
        return new String(bytes, offsetAt(column), lengthAt(column), StandardCharsets.UTF_8);
    }
}
