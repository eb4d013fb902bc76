/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.ReadRefusedException;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.ViewEvent;
import dev.ratchet.dataflow.query.ViewEvents;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives the rows of a view after a step, and what changes in it from then on. */
final class ViewsEndpoint {

    private static final String STEP = "Ratchet-Step";
    private static final String POSITION = "Ratchet-Position";

    private static final String EVENTS = "text/event-stream";
    private static final List<String> FOLLOW_TYPES = List.of(RowLists.NDJSON, EVENTS);

    /** A caller is answered by then even where nothing has changed. */
    private static final long BEGIN_MILLIS = 500;

    private static final long POLL_MILLIS = 1_000;
    private static final int QUIET_POLLS = 10;

    private final ServedCircuit circuit;
    private final ViewAnswers answers;
    private volatile boolean closed;

    ViewsEndpoint(ServedCircuit circuit, ViewAnswers answers) {
        this.circuit = circuit;
        this.answers = answers;
    }

    void close() {
        closed = true;
    }

    void read(Call call) throws IOException, InterruptedException {
        boolean follows =
                call.parameter("follow").filter(value -> !value.equals("false")).isPresent();
        try {
            Relation view = answers.view(call.name());
            if (follows) {
                follow(call, view);
            } else {
                String type = call.accepted(RowLists.TYPES);
                try (ViewAnswers.Answer answer = answers.read(view.name())) {
                    write(call, type, answer);
                }
            }
        } catch (ReadRefusedException refused) {
            throw Programs.told(circuit, refused);
        }
    }

    /** Answers with rows and the step that they are of. */
    static void write(Call call, String type, ViewAnswers.Answer answer) throws IOException {
        call.answerHeader(STEP, Long.toString(answer.step()));
        call.answerHeader(POSITION, answer.position());
        try (OutputStream out = call.begin(type)) {
            RowLists.write(answer.columns(), answer.rows(), type, out);
        }
    }

    private void follow(Call call, Relation view) throws IOException, InterruptedException {
        boolean isEventStream = call.accepted(FOLLOW_TYPES).equals(EVENTS);
        Optional<Long> after = call.header("Last-Event-ID")
                .filter(id -> !id.isEmpty())
                .map(id -> Call.number("The header Last-Event-ID", id))
                .or(() -> call.number("after"));
        ViewEvents events = new ViewEvents();
        try (Reading reading = after.isPresent()
                ? circuit.views().follow(view.name(), after.get(), events)
                : circuit.views().snapshot(List.of(view.name()), events)) {
            reading.request(2);
            ViewEvent first = events.poll(BEGIN_MILLIS);
            HttpFailure refused = first == null ? null : failure(first);
            if (refused != null) {
                throw refused;
            }
            try (OutputStream out = call.begin(isEventStream ? EVENTS : RowLists.NDJSON)) {
                out.flush();
                follow(view, events, first, reading, new ChangeLines(view, out, isEventStream));
            }
        }
    }

    private void follow(Relation view, ViewEvents events, @Nullable ViewEvent first, Reading reading, ChangeLines lines)
            throws IOException, InterruptedException {
        int quiet = 0;
        for (ViewEvent next = first; !closed; next = events.poll(POLL_MILLIS)) {
            if (next == null) {
                if (++quiet % QUIET_POLLS == 0) {
                    lines.nothing();
                }
                continue;
            }
            quiet = 0;
            HttpFailure failure = failure(next);
            if (failure != null) {
                lines.failure(failure);
                return;
            }
            write(view, next, lines);
            reading.request(1);
        }
    }

    private static void write(Relation view, ViewEvent event, ChangeLines lines) throws IOException {
        if (event instanceof ViewEvent.Rows rows) {
            if (rows.isSnapshot()) {
                lines.beginSnapshot(rows.step());
            }
            Batch changed = rows.byView().get(view.name());
            if (changed != null) {
                lines.rows(rows.step(), changed);
            }
            lines.complete(rows.step());
        } else if (event instanceof ViewEvent.Progress progress) {
            lines.complete(progress.step());
        }
    }

    private @Nullable HttpFailure failure(ViewEvent event) {
        return switch (event) {
            case ViewEvent.Expired expired ->
                new HttpFailure(
                                410,
                                "Changes are kept from step " + expired.oldestStep() + " on, which is not enough",
                                "Begin with a snapshot: follow without a step")
                        .detail("oldestStep", expired.oldestStep())
                        .detail("snapshotStep", circuit.status().step());
            case ViewEvent.Failed failed ->
                new HttpFailure(410, failed.reason(), "Begin with a snapshot: follow without a step");
            default -> null;
        };
    }
}
