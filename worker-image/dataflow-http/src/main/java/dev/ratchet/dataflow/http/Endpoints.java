/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.circuits.circuit.CircuitPicture;
import dev.ratchet.circuits.sql.CompiledProgram;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.http.HttpRequests.Endpoint;
import dev.ratchet.dataflow.http.HttpRequests.Route;
import dev.ratchet.dataflow.query.ProgramLookup;
import dev.ratchet.dataflow.query.RefusedException;
import dev.ratchet.dataflow.query.ServedCircuit;
import dev.ratchet.dataflow.query.TableIntake;
import dev.ratchet.dataflow.query.ViewAnswers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What there is to ask, and what tells of the circuit as a whole. */
final class Endpoints {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String SVG = "image/svg+xml";
    private static final String GRAPHVIZ = "text/vnd.graphviz";
    private static final String PICTURE_JSON = "application/json";

    private final ServedCircuit circuit;
    private final ViewAnswers answers;
    private final TablesEndpoint tables;
    private final ViewsEndpoint views;
    private final QueryEndpoint query;

    Endpoints(ServedCircuit circuit, ViewAnswers answers, TableIntake intake, HttpLimits limits) {
        this.circuit = circuit;
        this.answers = answers;
        Bodies bodies = new Bodies(limits.requestBytes(), intake.waiting());
        this.tables = new TablesEndpoint(intake, bodies, limits.answerMillis());
        this.views = new ViewsEndpoint(circuit, answers);
        this.query = new QueryEndpoint(bodies, answers);
    }

    List<Route> routes() {
        return List.of(
                route("POST", "tables", 1, true, tables::pushSeveral),
                route("POST", "tables", 2, true, tables::push),
                route("GET", "producers", 2, false, tables::received),
                route("GET", "views", 2, false, views::read),
                route("POST", "query", 1, false, query::answer),
                route("GET", "program", 1, false, this::program),
                route("GET", "status", 1, false, this::status),
                route("GET", "picture", 1, false, this::picture));
    }

    private Route route(String method, String kind, int parts, boolean writes, Endpoint endpoint) {
        return new Route(method, kind, parts, writes, call -> {
            try {
                endpoint.answer(call);
            } catch (RefusedException refused) {
                throw Refusals.told(circuit, refused);
            }
        });
    }

    /** Ends what goes on until its caller leaves. */
    void close() {
        views.close();
    }

    private void program(Call call) throws IOException {
        CompiledProgram program = ProgramLookup.running(circuit);
        ObjectNode document = JSON.objectNode();
        document.put("digest", circuit.status().programDigest());
        relations(document.putArray("tables"), program.tables());
        relations(document.putArray("views"), answers.views());
        call.answer(200, document);
    }

    private static void relations(ArrayNode list, List<Relation> relations) {
        for (Relation relation : relations) {
            ObjectNode one = list.addObject().put("name", relation.name());
            ArrayNode columns = one.putArray("columns");
            for (Relation.Column column : relation.columns()) {
                columns.addObject()
                        .put("name", column.name())
                        .put("type", column.type().orNull().toString())
                        .put("nullable", column.type().nullable());
            }
            if (!relation.key().isEmpty()) {
                ArrayNode key = one.putArray("key");
                relation.key()
                        .forEach(
                                column -> key.add(relation.columns().get(column).name()));
            }
        }
    }

    private void picture(Call call) throws IOException {
        String type = call.accepted(List.of(SVG, GRAPHVIZ, PICTURE_JSON));
        CircuitPicture picture = ProgramLookup.picture(circuit);
        String drawn = type.equals(SVG) ? picture.svg() : type.equals(GRAPHVIZ) ? picture.dot() : picture.json();
        try (OutputStream out = call.begin(type)) {
            out.write(drawn.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void status(Call call) throws IOException {
        DataflowStatus status = circuit.status();
        ObjectNode document = JSON.objectNode()
                .put("state", status.state().name())
                .put("message", status.message())
                .put("step", status.step())
                .put("version", status.version())
                .put("versionStep", status.versionStep())
                .put("programDigest", status.programDigest())
                .put("pendingBytes", status.pendingBytes())
                .put("errorRows", status.errorRows());
        status.receivedRows().forEach(document.putObject("receivedRows")::put);
        status.lagRows().forEach(document.putObject("lagRows")::put);
        status.viewRows().forEach(document.putObject("viewRows")::put);
        status.lagSteps().forEach(document.putObject("lagSteps")::put);
        call.answer(200, document);
    }
}
