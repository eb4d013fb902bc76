/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Format;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet circuit status}: what the circuit does, how far it is behind its input, and why it stands. */
@Command(
        name = "status",
        description = "Shows state, step and lag of a cluster's circuit, and why it stands.",
        mixinStandardHelpOptions = true)
final class CircuitStatusCommand extends ServedCircuitCommand {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Override
    void ask(CircuitClient circuit, PrintWriter out) throws InterruptedException {
        JsonNode status = circuit.document("/v1/status");
        View view = new View();
        for (String name : List.of(
                "state", "message", "step", "version", "versionStep", "pendingBytes", "errorRows", "programDigest")) {
            view.fields().set(name, status.path(name));
        }
        view.heading("circuit "
                        + status.path("state").asText().toLowerCase(Locale.ROOT).replace('_', ' ') + ": step "
                        + status.path("step").asLong() + ", version "
                        + status.path("version").asLong() + " of step "
                        + status.path("versionStep").asLong() + "; "
                        + status.path("pendingBytes").asLong() + " bytes of input wait, "
                        + status.path("errorRows").asLong() + " rows are errors")
                .section(counts("tables", "table", status.path("receivedRows")))
                .section(counts("views", "view", status.path("viewRows")));
        String message = status.path("message").asText();
        (message.isEmpty() ? view : view.ending(message)).print(format, out);
    }

    private static Section counts(String plural, String singular, JsonNode byName) {
        List<ObjectNode> items = new ArrayList<>();
        byName.properties()
                .forEach(one -> items.add(JsonNodeFactory.instance
                        .objectNode()
                        .put("name", one.getKey())
                        .put("rows", one.getValue().asLong())));
        return new Section(
                plural,
                singular,
                "name",
                List.of(Column.of(singular.toUpperCase(Locale.ROOT), "name"), Column.of("ROWS", "rows")),
                items);
    }
}
