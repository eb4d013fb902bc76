/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.dataflow.TableRows;
import dev.ratchet.dataflow.query.TableIntake;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Takes rows for tables; answers when they are durable, and with what the log has of their producer. */
final class TablesEndpoint {

    private static final String NDJSON = "application/x-ndjson";
    private static final String CSV = "text/csv";

    private final TableIntake intake;
    private final Bodies bodies;
    private final long answerMillis;

    TablesEndpoint(TableIntake intake, Bodies bodies, long answerMillis) {
        this.intake = intake;
        this.bodies = bodies;
        this.answerMillis = answerMillis;
    }

    /** Rows for the table that the path names. */
    void push(Call call) throws IOException, InterruptedException {
        String table = intake.table(call.name()).name();
        RowFormat format = format(call.contentType());
        try (Bodies.Body body = bodies.read(call)) {
            push(call, List.of(new TableRows(table, format, body.bytes())), body.bytes().length);
        }
    }

    private static RowFormat format(String contentType) {
        return switch (contentType) {
            case NDJSON, "application/ndjson", "application/jsonl", "application/json" -> RowFormat.NDJSON;
            case CSV -> RowFormat.CSV;
            default ->
                throw new HttpFailure(
                        415,
                        "Rows of type '" + contentType + "' are not understood",
                        "Send the header 'Content-Type: " + NDJSON + "' with one JSON object per line, or '" + CSV
                                + "' with a line of column names");
        };
    }

    /** Rows for several tables, all of them in one step: lines that name their table. */
    void pushSeveral(Call call) throws IOException, InterruptedException {
        List<Relation> tables = intake.tables();
        if (format(call.contentType()) != RowFormat.NDJSON) {
            throw new HttpFailure(
                    415,
                    "Rows of several tables come as lines of JSON",
                    "Send lines {\"table\": \"t\", \"insert\": {…}} as " + NDJSON
                            + ", or CSV to /v1/tables/NAME for one table");
        }
        try (Bodies.Body body = bodies.read(call)) {
            push(call, new TableLines(tables).divide(body.bytes()), body.bytes().length);
        }
    }

    private void push(Call call, List<TableRows> rows, int bytes) throws IOException, InterruptedException {
        Optional<String> producer = call.header("Ratchet-Producer").or(() -> call.parameter("producer"));
        Optional<Long> sequence = call.header("Ratchet-Sequence")
                .map(value -> Call.number("The header Ratchet-Sequence", value))
                .or(() -> call.number("sequence"));
        if (producer.isPresent() != sequence.isPresent()) {
            throw new HttpFailure(
                    400,
                    producer.isPresent() ? "The producer comes without a sequence" : "The sequence is nobody's",
                    "Give both, so that a repetition is recognised, or neither");
        }
        InputRequest request = new InputRequest(producer.orElse(""), sequence.orElse(0L), rows);
        Received received = HttpWaits.await(
                () -> intake.append(request),
                answerMillis,
                producer.isPresent()
                        ? "Send it again with the same producer and sequence"
                        : "Ask whether it is there before sending it again; with a producer and a sequence that is not"
                                + " needed");
        ObjectNode answer =
                document(received).put("repeated", received.repeated()).put("bytes", bytes);
        producer.ifPresent(name -> answer.put("producer", name));
        call.answer(200, answer);
    }

    private static ObjectNode document(Received received) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("sequence", received.sequence())
                .put("position", received.position());
    }

    /** What the log has of the producer that the path names. */
    void received(Call call) throws IOException, InterruptedException {
        Received received = HttpWaits.await(() -> intake.received(call.name()), answerMillis, "Ask again");
        call.answer(200, document(received).put("producer", call.name()));
    }
}
