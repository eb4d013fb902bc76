/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.circuits.run.RowBatches;
import dev.ratchet.circuits.run.RowBatches.RowBatch;
import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.cli.view.Format;
import dev.ratchet.client.InvalidInputException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet circuit push}: rows of a file, or as they come on standard input. */
@Command(
        name = "push",
        description = {
            "Sends rows of a file, or of standard input, to tables of a cluster's circuit.",
            "Rows come as lines of JSON, or as CSV whose first line names the columns. A request is acknowledged when"
                    + " it is durable. With --producer the same command again goes on behind what was received before,"
                    + " and a file that has grown is sent on from there; each file has a producer of its own."
        },
        mixinStandardHelpOptions = true)
final class CircuitPushCommand extends ServedCircuitCommand {

    private static final int WANTED_BYTES = 1 << 20;
    private static final int REQUEST_BYTES_MAX = 4 << 20;
    private static final String STANDARD_INPUT = "-";

    /** How rows are written. */
    enum RowsFormat {
        ndjson,
        csv
    }

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            description = "where all rows go; absent: each line is {\"table\": \"t\", \"insert\": {…}} or \"delete\"")
    private @Nullable String table;

    @Option(
            names = "--producer",
            paramLabel = "NAME",
            description = "name under which repeated rows are recognised (default: a new name)")
    private @Nullable String producer;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "ndjson or csv (default: as the file's name ends, ndjson for standard input)")
    private @Nullable RowsFormat rowsFormat;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or yaml (default: text)")
    private Format format = Format.text;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "the rows; - for standard input, as is the default")
    private String file = STANDARD_INPUT;

    @Override
    void check() {
        GatewayCommand.requireValue("--table", table);
        GatewayCommand.requireValue("--producer", producer);
        GatewayCommand.requireValue("FILE", file);
        if (isCsv() && table == null) {
            throw new InvalidInputException("Rows of CSV name no table. Give it with --table.");
        }
        if (!file.equals(STANDARD_INPUT) && !Files.isReadable(Path.of(file))) {
            throw new InvalidInputException(
                    "There is no file " + file + " that this user may read. Name one, or - for" + " standard input.");
        }
    }

    private boolean isCsv() {
        return rowsFormat == RowsFormat.csv
                || (rowsFormat == null && file.toLowerCase(Locale.ROOT).endsWith(".csv"));
    }

    /** Standard input is not ours to close. */
    private InputStream open() throws IOException {
        return file.equals(STANDARD_INPUT)
                ? new FilterInputStream(System.in) {
                    @Override
                    public void close() {}
                }
                : Files.newInputStream(Path.of(file));
    }

    @Override
    void ask(CircuitClient circuit, PrintWriter out) throws IOException, InterruptedException {
        String name = producer == null ? "push-" + UUID.randomUUID() : producer;
        Sent sent = new Sent(circuit, name);
        try (InputStream in = open()) {
            RowBatches batches = new RowBatches(in, isCsv(), WANTED_BYTES, REQUEST_BYTES_MAX);
            if (producer != null) {
                sent.askWhatIsThere();
                if (sent.received > 0) {
                    batches.skip(sent.received);
                }
            }
            for (RowBatch batch = batches.next(); batch != null; batch = batches.next()) {
                sent.send(batch);
            }
        } catch (RuntimeException | IOException failed) {
            if (sent.requests > 0 && !file.equals(STANDARD_INPUT)) {
                note(sent.received + " bytes were received; the same with --producer " + name + " goes on behind them");
            }
            if (failed instanceof IllegalArgumentException) {
                throw new InvalidInputException(
                        failed.getMessage() + ". Mend the rows, or give another file another --producer.", failed);
            }
            throw failed;
        }
        sent.tell(out);
    }

    /** What has gone out, and what the circuit says of it. */
    private final class Sent {

        private final CircuitClient circuit;
        private final String name;
        private final String path;
        private long requests;
        private long bytes;
        private long received = -1;
        private String position = "";

        Sent(CircuitClient circuit, String name) {
            this.circuit = circuit;
            this.name = name;
            this.path = "/v1/tables" + (table == null ? "" : "/" + CircuitClient.encoded(table)) + "?producer="
                    + CircuitClient.encoded(name) + "&sequence=";
        }

        void askWhatIsThere() throws InterruptedException {
            JsonNode known = circuit.document("/v1/producers/" + CircuitClient.encoded(name));
            received = known.path("sequence").asLong(-1);
            position = known.path("position").asText();
        }

        void send(RowBatch batch) throws InterruptedException {
            String type = isCsv() ? "text/csv" : "application/x-ndjson";
            JsonNode answer = CircuitClient.json(circuit.post(path + batch.end(), type, batch.rows()));
            if (answer.path("sequence").asLong() > batch.end()) {
                throw new InvalidInputException("The producer " + name + " has sent "
                        + answer.path("sequence").asLong() + " bytes, more than the " + batch.end()
                        + " of this push: another one uses its name. Give each its own --producer.");
            }
            requests++;
            bytes += batch.end() - Math.max(0, received);
            received = batch.end();
            position = answer.path("position").asText();
        }

        void tell(PrintWriter out) {
            ObjectNode all = JsonNodeFactory.instance
                    .objectNode()
                    .put("producer", name)
                    .put("requests", requests)
                    .put("bytes", bytes)
                    .put("sequence", received)
                    .put("position", position);
            out.println(
                    format != Format.text
                            ? format.element(all)
                            : requests == 0
                                    ? "nothing to push: " + Math.max(0, received) + " bytes of " + name
                                            + " were received before"
                                    : "pushed " + bytes + " bytes in " + requests + " requests; of producer " + name
                                            + " " + received + " bytes are there");
        }
    }
}
