/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchCursor;
import dev.ratchet.circuits.type.ColumnType;
import dev.ratchet.circuits.type.TypeKind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Rows as texts that tests compare; different ones have different texts. */
public final class ShownRows {

    private ShownRows() {}

    /** The rows of a batch, such as {@code "a 1 x-2"} with their weights, in the order of these texts. */
    public static List<String> of(Batch batch) {
        List<ColumnType> types = new ArrayList<>(batch.schema().key());
        types.addAll(batch.schema().value());
        List<String> rows = new ArrayList<>();
        for (BatchCursor row = batch.cursor(); row.valid(); row.next()) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < types.size(); column++) {
                text.append(row.isNull(column) ? "null" : shown(types.get(column), row, column))
                        .append(' ');
            }
            rows.add(text.append('x').append(row.weight()).toString());
        }
        rows.sort(null);
        return rows;
    }

    private static String shown(ColumnType type, BatchCursor row, int column) {
        return switch (type.storage()) {
            case LONG -> "" + row.longAt(column);
            case WIDE ->
                BigInteger.valueOf(row.highAt(column))
                        .shiftLeft(Long.SIZE)
                        .add(new BigInteger(Long.toUnsignedString(row.longAt(column))))
                        .toString();
            case BYTES ->
                type.kind() == TypeKind.VARCHAR
                        ? row.stringAt(column)
                        : HexFormat.of()
                                .formatHex(
                                        row.bytesAt(column),
                                        row.offsetAt(column),
                                        row.offsetAt(column) + row.lengthAt(column));
        };
    }
}
