/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.log;

import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.protocol.dataflow.v1.LogRecord;
import dev.ratchet.protocol.dataflow.v1.LoggedRows;
import java.util.List;
import java.util.Locale;

/** What a request is before it is in the log: its tables are there and it is within the limits. */
final class RequestCheck {

    private static final int PRODUCER_LENGTH_MAX = 256;

    private RequestCheck() {}

    /**
     * The head of the request's record.
     *
     * @throws IllegalArgumentException where it is refused
     */
    static LogRecord check(InputRequest request, CompiledProgram program, InputLimits limits) {
        require(
                request.producer().length() <= PRODUCER_LENGTH_MAX,
                "The name of the producer has " + request.producer().length() + " characters; choose one of at most "
                        + PRODUCER_LENGTH_MAX);
        require(
                request.producer().isEmpty() || request.sequence() >= 0,
                "Sequence " + request.sequence() + " of producer '" + request.producer()
                        + "' is negative; count requests from 0");
        require(!request.tables().isEmpty(), "The request has rows for no table");
        LogRecord.Builder record =
                LogRecord.newBuilder().setProducer(request.producer()).setSequence(request.sequence());
        long bytes = 0;
        long lines = 0;
        for (TableRows rows : request.tables()) {
            LoggedRows logged = LoggedRows.newBuilder()
                    .setTable(nameIn(program, rows.table()))
                    .setFormat(rows.format().name())
                    .setBytes(rows.rows().length)
                    .setLines(lines(rows, limits.rowBytes()))
                    .setLinesBefore(rows.linesBefore())
                    .build();
            record.addTables(logged);
            bytes += logged.getBytes();
            lines += logged.getLines();
        }
        require(
                bytes <= limits.requestBytes(),
                "The request has " + bytes + " bytes, more than the limit of " + limits.requestBytes()
                        + "; send the rows in several requests");
        return record.setBytes(bytes).setLines(lines).build();
    }

    private static String nameIn(CompiledProgram program, String table) {
        List<String> names = program.tables().stream().map(Relation::name).toList();
        if (names.contains(table)) {
            return table;
        }
        String wanted = table.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("There is no table '" + table + "'; the tables are " + names));
    }

    private static long lines(TableRows rows, int lengthMax) {
        byte[] bytes = rows.rows();
        long lines = 0;
        int start = 0;
        for (int at = 0; at <= bytes.length; at++) {
            if (at == bytes.length || bytes[at] == '\n') {
                require(
                        at - start <= lengthMax,
                        "A line of table '" + rows.table() + "' has " + (at - start) + " bytes, more than the limit of "
                                + lengthMax);
                lines += at > start ? 1 : 0;
                start = at + 1;
            }
        }
        return lines;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
