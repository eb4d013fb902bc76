/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.dataflow.query.ViewAnswers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Answers one SELECT over the views of the circuit, all of them as they are after one step. */
final class QueryEndpoint {

    private final Bodies bodies;
    private final ViewAnswers answers;

    QueryEndpoint(Bodies bodies, ViewAnswers answers) {
        this.bodies = bodies;
        this.answers = answers;
    }

    void answer(Call call) throws IOException, InterruptedException {
        String type = call.accepted(RowLists.TYPES);
        String sql;
        try (Bodies.Body body = bodies.read(call)) {
            sql = new String(body.bytes(), StandardCharsets.UTF_8);
        }
        try (ViewAnswers.Answer answer = answers.query(sql)) {
            ViewsEndpoint.write(call, type, answer);
        }
    }
}
