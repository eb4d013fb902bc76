/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.RefusedException;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.ViewAnswers;
import dev.ratchet.dataflow.query.ViewFollowing;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Gives the rows of a view after a step, and what changes in it from then on. */
final class ViewsEndpoint {

    private static final String STEP = "Ratchet-Step";
    private static final String POSITION = "Ratchet-Position";

    private static final String EVENTS = "text/event-stream";
    private static final List<String> FOLLOW_TYPES = List.of(RowLists.NDJSON, EVENTS);

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
        Relation view = answers.view(call.name());
        if (follows) {
            follow(call, view);
            return;
        }
        String type = call.accepted(RowLists.TYPES);
        try (ViewAnswers.Answer answer = answers.read(view.name())) {
            write(call, type, answer);
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
        try (ViewFollowing following = answers.follow(view, after);
                OutputStream out = call.begin(isEventStream ? EVENTS : RowLists.NDJSON)) {
            out.flush();
            ChangeLines lines = new ChangeLines(view, out, isEventStream);
            try {
                following.tell(lines, () -> {
                    call.requireAdmitted();
                    return closed;
                });
            } catch (RefusedException refused) {
                lines.failure(Refusals.told(circuit, refused));
            } catch (HttpFailure removed) {
                lines.failure(removed);
                throw removed;
            }
        }
    }
}
