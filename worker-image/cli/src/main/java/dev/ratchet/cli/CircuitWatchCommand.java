/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.cli.circuit.ViewSteps;
import dev.ratchet.cli.view.Format;
import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.client.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet circuit watch}: a view as it is, and then each step that changes it. */
@Command(
        name = "watch",
        description = {
            "Shows the rows of a view, and then what each step changes in it, until interrupted.",
            "A step is shown as a whole and once, also where connections break. As JSON the lines are those of the"
                    + " circuit: whoever keeps them resumes with --after and the step of the last complete one."
        },
        mixinStandardHelpOptions = true)
final class CircuitWatchCommand extends ServedCircuitCommand {

    @Option(names = "--after", paramLabel = "STEP", description = "begin behind this step instead of with all rows")
    private @Nullable Long after;

    @Option(names = "--limit", paramLabel = "N", description = "end when rows of N steps were shown")
    private @Nullable Long limit;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Parameters(paramLabel = "VIEW", description = "a view of the program, or errors")
    private String view = "";

    private long shown;

    @Override
    void check() {
        GatewayCommand.requireValue("VIEW", view);
        if (after != null && after < 0) {
            throw new InvalidInputException("--after is a step, from 0 on, not " + after + ".");
        }
        if (limit != null && limit < 1) {
            throw new InvalidInputException("--limit is at least 1, not " + limit + ".");
        }
    }

    @Override
    void ask(CircuitClient circuit, PrintWriter out) throws InterruptedException {
        OptionalLong from = after == null ? OptionalLong.empty() : OptionalLong.of(after);
        new ViewSteps(circuit, view, from, this::note)
                .follow((step, isSnapshot, lines) -> show(step, isSnapshot, lines, out));
    }

    private boolean show(long step, boolean isSnapshot, List<JsonNode> lines, PrintWriter out) {
        boolean hasRows = lines.stream().anyMatch(line -> line.has("row"));
        if (format != Format.text) {
            lines.forEach(line -> out.println(format.element(line)));
        } else if (isSnapshot || hasRows) {
            out.println("step " + step + (isSnapshot ? ", all rows" : ""));
            lines.stream().filter(line -> line.has("row")).forEach(line -> out.println(text(line)));
        }
        shown += isSnapshot || hasRows ? 1 : 0;
        return !out.checkError() && (limit == null || shown < limit);
    }

    private static String text(JsonNode line) {
        long weight = line.path("weight").asLong();
        return (weight > 0 ? "+" : "") + weight + " " + TerminalText.line(Format.json.element(line.path("row")));
    }
}
