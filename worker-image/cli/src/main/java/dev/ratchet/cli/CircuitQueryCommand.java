/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Format;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet circuit query}: one SELECT over the views, as they are after one step. */
@Command(
        name = "query",
        description = "Answers one SELECT over the views of a cluster's circuit, all as they are after one step.",
        mixinStandardHelpOptions = true)
final class CircuitQueryCommand extends ServedCircuitCommand {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Parameters(paramLabel = "SELECT", description = "the query; - reads it from standard input")
    private String sql = "";

    @Override
    void check() {
        GatewayCommand.requireValue("SELECT", sql);
    }

    @Override
    void ask(CircuitClient circuit, PrintWriter out) throws IOException, InterruptedException {
        byte[] text = sql.equals("-") ? System.in.readAllBytes() : sql.getBytes(StandardCharsets.UTF_8);
        HttpResponse<InputStream> answer = circuit.post("/v1/query", "application/sql", text);
        List<ObjectNode> rows = new ArrayList<>();
        for (JsonNode row : CircuitClient.rows(answer)) {
            rows.add((ObjectNode) row);
        }
        List<Column> columns = new ArrayList<>();
        if (!rows.isEmpty()) {
            rows.getFirst().fieldNames().forEachRemaining(name -> columns.add(column(name)));
        }
        View view = new View().section(new Section("rows", "row", "", columns, rows));
        long step = answer.headers().firstValueAsLong("Ratchet-Step").orElse(0);
        view.fields()
                .put("step", step)
                .put("position", answer.headers().firstValue("Ratchet-Position").orElse(""));
        if (format != Format.text || !rows.isEmpty()) {
            view.print(format, out);
        }
        if (format == Format.text) {
            note((rows.isEmpty() ? "no rows" : rows.size() + " rows") + " after step " + step);
        }
    }

    private static Column column(String name) {
        return new Column(name, row -> {
            JsonNode value = row.path(name);
            return value.isNull() ? "NULL" : value.isContainerNode() ? value.toString() : value.asText();
        });
    }
}
