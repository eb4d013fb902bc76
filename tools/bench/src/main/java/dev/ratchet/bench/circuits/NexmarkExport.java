/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.circuits;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.bench.nexmark.NexmarkChanges;
import dev.ratchet.bench.nexmark.NexmarkQuery;
import dev.ratchet.bench.nexmark.SideInput;
import dev.ratchet.circuits.nexmark.NexmarkEvent;
import dev.ratchet.circuits.nexmark.NexmarkTable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run nexmark}: a query of Nexmark and its changes as files for {@code ratchet circuit run}. */
@Command(
        name = "nexmark",
        description = "Writes a query of Nexmark and its changes as files for 'ratchet circuit run'.",
        mixinStandardHelpOptions = true)
public final class NexmarkExport implements Callable<Integer> {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    @Parameters(index = "0", paramLabel = "QUERY", description = "q0 to q22")
    private String query = "";

    @Parameters(index = "1", paramLabel = "DIR", description = "where program.sql and changes.jsonl are written")
    private Path directory = Path.of("");

    @Option(names = "--changes", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int changes = 100_000;

    @Option(names = "--step", paramLabel = "N", description = "changes of a step (default: ${DEFAULT-VALUE})")
    private int stepChanges = 1_000;

    @Option(
            names = "--retractions",
            paramLabel = "N",
            description = "how many of a hundred changes take a row back (default: ${DEFAULT-VALUE})")
    private int retractions;

    @Option(names = "--seed", paramLabel = "N", description = "0 gives the events of Apache Beam (default: 0)")
    private long seed;

    @Override
    public Integer call() throws IOException {
        NexmarkQuery wanted = NexmarkQuery.named(query);
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("program.sql"), wanted.program(retractions == 0));
        NexmarkChanges source = new NexmarkChanges(seed, retractions);
        JsonMapper json = JsonMapper.builder().build();
        try (Writer out = Files.newBufferedWriter(directory.resolve("changes.jsonl"));
                JsonGenerator lines = json.createGenerator(out).setRootValueSeparator(new SerializedString("\n"))) {
            for (long id = 0; wanted.reads("side_input") && id < SideInput.ROWS; id++) {
                begin(lines, 1, "side_input", 1);
                lines.writeNumberField("id", id);
                lines.writeStringField("label", SideInput.label(id));
                end(lines);
            }
            for (int i = 0; i < changes; i++) {
                NexmarkChanges.Change change = source.next();
                if (wanted.reads(change.event().table().title())) {
                    begin(lines, 1 + i / stepChanges, change.event().table().title(), change.weight());
                    writeColumns(lines, change.event());
                    end(lines);
                }
            }
        }
        return 0;
    }

    private static void begin(JsonGenerator line, int step, String table, int weight) throws IOException {
        line.writeStartObject();
        line.writeNumberField("step", step);
        line.writeStringField("table", table);
        line.writeNumberField("weight", weight);
        line.writeObjectFieldStart("row");
    }

    private static void end(JsonGenerator line) throws IOException {
        line.writeEndObject();
        line.writeEndObject();
    }

    private static void writeColumns(JsonGenerator line, NexmarkEvent event) throws IOException {
        for (int i = 0; i < event.values().size(); i++) {
            NexmarkTable.Column column = event.table().columns().get(i);
            Object value = event.values().get(i);
            switch (column.kind()) {
                case NUMBER -> line.writeNumberField(column.name(), (Long) value);
                case TEXT -> line.writeStringField(column.name(), (String) value);
                case TIME -> line.writeStringField(column.name(), TIMESTAMP.format(time((Long) value)));
            }
        }
    }

    private static LocalDateTime time(long millis) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, 1000), Math.floorMod(millis, 1000) * 1_000_000, ZoneOffset.UTC);
    }
}
