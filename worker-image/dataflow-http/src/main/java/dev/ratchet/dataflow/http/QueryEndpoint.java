/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.sql.SqlException;
import dev.ratchet.circuits.sql.SqlProgram;
import dev.ratchet.dataflow.http.Snapshots.Snapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Answers one SELECT over the views of the circuit, all of them as they are after one step. */
final class QueryEndpoint {

    /** Beside the circuit itself, which has the other processors. */
    private static final int AT_ONCE_MAX = 2;

    private static final Snapshot NOTHING = new Snapshot(0, Map.of(), "");

    private final ServedCircuit circuit;
    private final Bodies bodies;
    private final Snapshots snapshots;
    private final long rowsMax;
    private final long millisMax;
    private final Semaphore running = new Semaphore(AT_ONCE_MAX);

    QueryEndpoint(ServedCircuit circuit, Bodies bodies, Snapshots snapshots, long rowsMax, long millisMax) {
        this.circuit = circuit;
        this.bodies = bodies;
        this.snapshots = snapshots;
        this.rowsMax = rowsMax;
        this.millisMax = millisMax;
    }

    void answer(Call call) throws IOException, InterruptedException {
        SqlProgram program = Programs.running(circuit);
        String type = call.accepted(RowLists.TYPES);
        String sql;
        try (Bodies.Body body = bodies.read(call)) {
            sql = new String(body.bytes(), StandardCharsets.UTF_8);
        }
        if (!running.tryAcquire()) {
            throw new HttpFailure(429, AT_ONCE_MAX + " queries are running", "Ask again in a second")
                    .header("Retry-After", "1");
        }
        TimedQuery timed = new TimedQuery(millisMax, running::release);
        try {
            answer(call, compile(program, sql), timed, type);
        } finally {
            timed.end();
        }
    }

    private static ViewQuery compile(SqlProgram program, String sql) {
        try {
            return ViewQuery.compile(Programs.views(program), sql);
        } catch (SqlException mistake) {
            HttpFailure failure = new HttpFailure(
                    400,
                    String.valueOf(mistake.getMessage()),
                    "Send one SELECT over the views of the program, see /v1/program");
            throw mistake.line() == 0
                    ? failure
                    : failure.detail("line", mistake.line()).detail("column", mistake.column());
        }
    }

    private void answer(Call call, ViewQuery query, TimedQuery timed, String type)
            throws IOException, InterruptedException {
        Snapshot snapshot = query.views().isEmpty() ? NOTHING : snapshots.take(query.views());
        try (ViewQuery.Answer answer = timed.run(query, snapshot.byView())) {
            if (answer.rows().rowCount() > rowsMax) {
                throw new HttpFailure(
                        413,
                        "The answer has " + answer.rows().rowCount() + " rows, the limit is " + rowsMax,
                        "Select fewer, or make a view of the query and follow it");
            }
            call.answerHeader(ViewsEndpoint.STEP, Long.toString(snapshot.step()));
            call.answerHeader(ViewsEndpoint.POSITION, snapshot.position());
            try (OutputStream out = call.begin(type)) {
                RowLists.write(answer.columns(), answer.rows(), type, out);
            }
        }
    }
}
