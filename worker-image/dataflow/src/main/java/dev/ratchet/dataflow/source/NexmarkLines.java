/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.source;

import dev.ratchet.circuits.expression.function.TimeText;
import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.util.List;

/** Events of Nexmark as lines of JSON. */
final class NexmarkLines {

    private static final long MICROS_PER_MILLI = 1_000;

    private NexmarkLines() {}

    static void append(StringBuilder line, NexmarkEvent event) {
        List<NexmarkTable.Column> columns = event.table().columns();
        for (int column = 0; column < columns.size(); column++) {
            Object value = event.values().get(column);
            line.append(column == 0 ? "{\"" : ",\"")
                    .append(columns.get(column).name())
                    .append("\":");
            switch (columns.get(column).kind()) {
                case NUMBER -> line.append(value);
                case TIME ->
                    line.append('"')
                            .append(TimeText.timestamp((Long) value * MICROS_PER_MILLI))
                            .append('"');
                case TEXT -> quote(line, (String) value);
            }
        }
        line.append("}\n");
    }

    /** Of texts that are made of printable characters. */
    private static void quote(StringBuilder line, String text) {
        line.append('"')
                .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                .append('"');
    }
}
