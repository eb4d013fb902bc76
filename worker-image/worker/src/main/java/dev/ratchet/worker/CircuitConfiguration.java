/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ratchet.circuits.builder.OutputKeys;
import dev.ratchet.circuits.circuit.OnError;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.FilesSink;
import dev.ratchet.dataflow.InputSource;
import dev.ratchet.dataflow.ProgramSource;
import dev.ratchet.dataflow.RowFormat;
import dev.ratchet.store.ClusterConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code cluster.json} says of the circuit: its member {@code circuit}. Fields that are not known are ignored. */
final class CircuitConfiguration {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final int MOST_THREADS = 4_096;
    private static final Pattern ARTIFACT = Pattern.compile("sha256:[0-9a-f]{64}");

    private final Path file;

    private CircuitConfiguration(Path file) {
        this.file = file;
    }

    /**
     * Reads the file in {@code directory}; empty where it names no circuit.
     *
     * @throws IllegalArgumentException naming the file and what is wrong with it
     */
    static Optional<DataflowSettings> read(Path directory) {
        Path file = directory.resolve(ClusterConfiguration.FILE);
        try {
            JsonNode circuit = MAPPER.readTree(Files.readString(file)).path("circuit");
            return circuit.isMissingNode() || circuit.isNull()
                    ? Optional.empty()
                    : Optional.of(new CircuitConfiguration(file).settings(circuit));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("The circuit can not be read: " + unreadable, unreadable);
        }
    }

    private DataflowSettings settings(JsonNode circuit) {
        if (!circuit.isObject()) {
            throw new IllegalArgumentException(file + ": \"circuit\" must be an object, it is " + circuit);
        }
        return new DataflowSettings(
                text(circuit, "name"),
                program(circuit),
                circuit.path("suspended").asBoolean(),
                (int) number(circuit.path("threads"), "threads", MOST_THREADS),
                number(circuit.path("checkpointIntervalMillis"), "checkpointIntervalMillis", Long.MAX_VALUE),
                (int) number(circuit.path("retainedVersions"), "retainedVersions", Integer.MAX_VALUE),
                onError(circuit.path("onError").asText()),
                retainedSteps(circuit.path("retainedSteps")),
                circuit.path("decision").asText(),
                inputs(circuit.path("inputs")),
                outputs(circuit.path("outputs")));
    }

    private List<FilesSink> outputs(JsonNode given) {
        List<FilesSink> outputs = new ArrayList<>();
        given.forEach(output -> outputs.add(output(output)));
        return outputs;
    }

    private FilesSink output(JsonNode output) {
        String name = text(output, "name", "outputs[].name");
        String path = "outputs[" + name + "].";
        String type = output.path("type").asText();
        if (!type.equals("Files")) {
            throw new IllegalArgumentException(file + ": circuit." + path + "type is '" + type + "', known is Files");
        }
        String format = output.path("format").asText();
        return new FilesSink(
                name,
                text(output, "view", path + "view"),
                text(output, "folder", path + "folder"),
                Stream.of(RowFormat.values())
                        .filter(known -> known.name().equalsIgnoreCase(format))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                file + ": circuit." + path + "format is '" + format + "', known are Ndjson and Csv")));
    }

    private ProgramSource program(JsonNode circuit) {
        OutputKeys outputKeys = outputKeys(circuit.path("outputKeys"));
        JsonNode named = circuit.path("class");
        if (named.isMissingNode()) {
            return new ProgramSource.Sql(text(circuit, "program"), outputKeys);
        }
        String artifact = text(named, "artifact", "class.artifact");
        if (!ARTIFACT.matcher(artifact).matches()) {
            throw new IllegalArgumentException(file + ": circuit.class.artifact is '" + artifact
                    + "' and must be sha256: and 64 digits in hexadecimal");
        }
        return new ProgramSource.OfClass(
                artifact.substring(artifact.indexOf(':') + 1), text(named, "className", "class.className"), outputKeys);
    }

    private OutputKeys outputKeys(JsonNode given) {
        Map<String, List<String>> keys = new TreeMap<>();
        given.properties().forEach(view -> {
            List<String> columns = new ArrayList<>();
            view.getValue().forEach(column -> {
                if (!column.isTextual()) {
                    throw new IllegalArgumentException(file + ": circuit.outputKeys." + view.getKey()
                            + " must be a list of names of columns, it has " + column);
                }
                columns.add(column.textValue());
            });
            keys.put(view.getKey(), columns);
        });
        return new OutputKeys(keys);
    }

    private List<InputSource> inputs(JsonNode given) {
        List<InputSource> inputs = new ArrayList<>();
        given.forEach(input -> inputs.add(input(input)));
        return inputs;
    }

    private InputSource input(JsonNode input) {
        String name = text(input, "name", "inputs[].name");
        String path = "inputs[" + name + "].";
        String type = input.path("type").asText();
        return switch (type) {
            case "Clock" -> new InputSource.Clock(name, number(input, "intervalMillis", path, 1));
            case "Nexmark" ->
                new InputSource.Nexmark(
                        name,
                        number(input, "eventsPerSecond", path, 1),
                        number(input, "seed", path, 0),
                        number(input, "events", path, 0));
            case "Files" ->
                new InputSource.Files(
                        name, text(input, "folder", path + "folder"), number(input, "periodMillis", path, 1));
            default ->
                throw new IllegalArgumentException(
                        file + ": circuit." + path + "type is '" + type + "', known are Clock, Nexmark and Files");
        };
    }

    private Map<String, Integer> retainedSteps(JsonNode given) {
        Map<String, Integer> steps = new TreeMap<>();
        given.properties()
                .forEach(view -> steps.put(view.getKey(), (int)
                        number(view.getValue(), "retainedSteps." + view.getKey(), Integer.MAX_VALUE)));
        return steps;
    }

    private OnError onError(String word) {
        return switch (word) {
            case "Collect" -> OnError.COLLECT;
            case "Stop" -> OnError.STOP;
            default ->
                throw new IllegalArgumentException(
                        file + ": circuit.onError is '" + word + "', known are Collect and Stop");
        };
    }

    private String text(JsonNode circuit, String name) {
        return text(circuit, name, name);
    }

    private String text(JsonNode parent, String name, String path) {
        JsonNode value = parent.path(name);
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw new IllegalArgumentException(
                    file + ": \"circuit." + path + "\" must be a text that is not empty, it is " + value);
        }
        return value.textValue();
    }

    private long number(JsonNode input, String name, String path, long least) {
        return number(input.path(name), path + name, least, Long.MAX_VALUE);
    }

    private long number(JsonNode value, String name, long most) {
        return number(value, name, 1, most);
    }

    private long number(JsonNode value, String name, long least, long most) {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < least
                || value.longValue() > most) {
            throw new IllegalArgumentException(file + ": circuit." + name + " must be a whole number from " + least
                    + " to " + most + ", it is " + value);
        }
        return value.longValue();
    }
}
