/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.CircuitInput;
import dev.ratchet.crds.cluster.CircuitOutput;
import dev.ratchet.crds.cluster.CircuitSpec;
import dev.ratchet.crds.cluster.ErrorPolicy;
import dev.ratchet.crds.cluster.FileFormat;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Owns what {@code cluster.json} says of the circuit, and what is read back from it: the program that runs. */
public final class CircuitConfigs {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final String SQL = "program";
    private static final String CLASS = "class";
    private static final String ARTIFACT = "artifact";
    private static final String CLASS_NAME = "className";

    private CircuitConfigs() {}

    /**
     * The circuit that the workers were told of last.
     *
     * @param program as {@link #sql} or {@link #ofClass} says it
     */
    public record Told(String name, Map<String, Object> program) {}

    /** A program that is a text in SQL. */
    public static Map<String, Object> sql(String text) {
        return Map.of(SQL, text);
    }

    /** A program that is a class of a jar. */
    public static Map<String, Object> ofClass(String artifact, String className) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put(ARTIFACT, artifact);
        named.put(CLASS_NAME, className);
        return Map.of(CLASS, named);
    }

    /**
     * The member {@code circuit}.
     *
     * @param program as {@link #sql} or {@link #ofClass} says it
     * @param decision what a person decided about a circuit that has stopped; "" for nothing
     */
    public static Map<String, Object> member(
            CircuitSpec circuit, int threads, Map<String, Object> program, String decision) {
        Map<String, Object> member = new LinkedHashMap<>();
        member.put("name", circuit.name);
        member.putAll(program);
        member.put("suspended", circuit.suspended);
        member.put("threads", threads);
        member.put("checkpointIntervalMillis", circuit.checkpoint.intervalMillis);
        member.put("retainedVersions", circuit.checkpoint.retainedVersions);
        member.put("onError", circuit.onError == ErrorPolicy.COLLECT ? "Collect" : "Stop");
        member.put("retainedSteps", retainedSteps(circuit));
        member.put("decision", decision);
        member.put("inputs", circuit.inputs.stream().map(CircuitConfigs::input).toList());
        Map<String, List<String>> keys = outputKeys(circuit);
        if (!keys.isEmpty()) {
            member.put("outputKeys", keys);
        }
        List<Map<String, Object>> files = files(circuit);
        if (!files.isEmpty()) {
            member.put("outputs", files);
        }
        return member;
    }

    /** What {@code config} tells; empty for no ConfigMap, none with a circuit, and one that can not be read. */
    public static Optional<Told> told(@Nullable ConfigMap config) {
        if (config == null || config.getData() == null) {
            return Optional.empty();
        }
        try {
            JsonNode circuit = MAPPER.readTree(config.getData().getOrDefault(Names.CONFIG_KEY, "{}"))
                    .path("circuit");
            return circuit.isObject()
                    ? Optional.of(new Told(circuit.path("name").asText(), program(circuit)))
                    : Optional.empty();
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }

    private static Map<String, Object> program(JsonNode circuit) {
        JsonNode named = circuit.path(CLASS);
        return named.isObject()
                ? ofClass(named.path(ARTIFACT).asText(), named.path(CLASS_NAME).asText())
                : sql(circuit.path(SQL).asText());
    }

    private static Map<String, Object> input(CircuitInput input) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", input.name);
        if (input.clock != null) {
            told.put("type", "Clock");
            told.put("intervalMillis", input.clock.intervalMillis);
        }
        if (input.nexmark != null) {
            told.put("type", "Nexmark");
            told.put("eventsPerSecond", input.nexmark.eventsPerSecond);
            told.put("seed", input.nexmark.seed);
            told.put("events", input.nexmark.events);
        }
        if (input.files != null) {
            told.put("type", "Files");
            told.put("folder", input.files.folder);
            told.put("periodMillis", input.files.periodMillis);
        }
        return told;
    }

    private static List<Map<String, Object>> files(CircuitSpec circuit) {
        List<Map<String, Object>> files = new ArrayList<>();
        for (CircuitOutput output : circuit.outputs) {
            if (output.files != null) {
                Map<String, Object> told = new LinkedHashMap<>();
                told.put("name", output.name);
                told.put("type", "Files");
                told.put("view", view(output));
                told.put("folder", output.files.folder);
                told.put("format", output.files.format == FileFormat.CSV ? "Csv" : "Ndjson");
                files.add(told);
            }
        }
        return files;
    }

    /** By view; several outputs of one view name the same. */
    private static Map<String, List<String>> outputKeys(CircuitSpec circuit) {
        Map<String, List<String>> keys = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (CircuitOutput output : circuit.outputs) {
            if (!output.key.isEmpty()) {
                keys.putIfAbsent(view(output), output.key);
            }
        }
        return keys;
    }

    /** The view that an output is of. */
    public static String view(CircuitOutput output) {
        return output.view.isEmpty() ? output.name : output.view;
    }

    private static Map<String, Integer> retainedSteps(CircuitSpec circuit) {
        Map<String, Integer> steps = new TreeMap<>();
        for (CircuitOutput output : circuit.outputs) {
            if (output.http != null) {
                steps.put(view(output), output.http.retainedSteps);
            }
        }
        return steps;
    }
}
