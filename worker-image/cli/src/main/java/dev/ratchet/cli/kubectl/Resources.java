/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.kubectl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Ratchet's resources as items with fields that stay, whatever their own schema becomes. */
public final class Resources {

    private Resources() {}

    /** The conditions of a ComputeCluster. */
    public static Section conditions(JsonNode cluster) {
        List<ObjectNode> conditions = new ArrayList<>();
        cluster.path("status")
                .path("conditions")
                .forEach(condition ->
                        conditions.add(copy(condition, "type", "status", "reason", "message", "lastTransitionTime")));
        return new Section(
                "conditions",
                "condition",
                "type",
                List.of(
                        Column.of("CONDITION", "type"),
                        Column.of("STATUS", "status"),
                        Column.of("REASON", "reason"),
                        Column.of("MESSAGE", "message")),
                conditions);
    }

    /** The seats of a cluster and their pods, from the list of its ComputeWorkers. */
    public static Section seats(JsonNode list) {
        List<ObjectNode> seats = new ArrayList<>();
        for (JsonNode worker : list.path("items")) {
            JsonNode status = worker.path("status");
            ObjectNode seat =
                    object().put("seat", worker.path("metadata").path("name").asText());
            put(seat, "ready", condition(status, "Ready"));
            put(seat, "state", status.path("state"));
            put(seat, "incarnation", status.path("incarnation"));
            put(seat, "pod", status.path("pod").path("name"));
            put(seat, "node", status.path("host"));
            put(seat, "version", status.path("version"));
            seats.add(seat);
        }
        seats.sort(Comparator.comparing(seat -> seat.path("seat").asText()));
        return new Section(
                "seats",
                "seat",
                "seat",
                List.of(
                        Column.of("SEAT", "seat"),
                        Column.of("READY", "ready"),
                        Column.of("STATE", "state"),
                        Column.of("POD", "pod"),
                        Column.of("NODE", "node"),
                        Column.of("VERSION", "version")),
                seats);
    }

    /**
     * The layouts of a list of ComputeLayouts, oldest first.
     *
     * @param cluster only of this ComputeCluster; empty: of all
     */
    public static Section layouts(JsonNode list, String cluster) {
        List<ObjectNode> layouts = new ArrayList<>();
        for (JsonNode layout : list.path("items")) {
            JsonNode spec = layout.path("spec");
            if (!cluster.isEmpty() && !cluster.equals(spec.path("clusterName").asText())) {
                continue;
            }
            ObjectNode item = object().put(
                            "name", layout.path("metadata").path("name").asText())
                    .put("cluster", spec.path("clusterName").asText());
            put(item, "epoch", spec.path("epoch"));
            put(item, "reason", spec.path("reason"));
            put(item, "mode", spec.path("mode"));
            item.put("workers", spec.path("workers").size());
            put(item, "step", layout.path("status").path("step"));
            JsonNode bytes = layout.path("status").path("bytes");
            put(item, "bytesMoved", bytes.path("moved"));
            put(item, "bytesWanted", bytes.path("wanted"));
            put(item, "bytesLowerBound", bytes.path("lowerBound"));
            put(item, "created", layout.path("metadata").path("creationTimestamp"));
            put(item, "abortReason", layout.path("status").path("abort").path("reason"));
            layouts.add(item);
        }
        layouts.sort(Comparator.comparing(
                        (ObjectNode layout) -> layout.path("cluster").asText())
                .thenComparing(layout -> layout.path("epoch").asLong()));
        return new Section(
                "layouts",
                "layout",
                "name",
                List.of(
                        Column.of("LAYOUT", "name"),
                        Column.of("EPOCH", "epoch"),
                        Column.of("REASON", "reason"),
                        Column.of("STEP", "step"),
                        Column.of("WORKERS", "workers"),
                        new Column("BYTES", Resources::bytes),
                        new Column("AGE", layout -> age(layout.path("created").asText(), Instant.now())),
                        Column.of("ABORTED", "abortReason")),
                layouts);
    }

    private static String bytes(ObjectNode layout) {
        return layout.has("bytesWanted")
                ? layout.path("bytesMoved").asLong() + "/"
                        + layout.path("bytesWanted").asLong()
                : "-";
    }

    /** The two largest units of a time that has passed, such as {@code 3h12m}. */
    static String age(String since, Instant now) {
        Duration age;
        try {
            age = Duration.between(Instant.parse(since), now);
        } catch (DateTimeParseException unknown) {
            return "-";
        }
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 2 * 3_600) {
            return seconds / 60 + "m" + seconds % 60 + "s";
        }
        return seconds < 2 * 86_400
                ? seconds / 3_600 + "h" + seconds / 60 % 60 + "m"
                : seconds / 86_400 + "d" + seconds / 3_600 % 24 + "h";
    }

    private static JsonNode condition(JsonNode status, String type) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status");
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    private static ObjectNode copy(JsonNode from, String... fields) {
        ObjectNode to = object();
        for (String field : fields) {
            put(to, field, from.path(field));
        }
        return to;
    }

    private static void put(ObjectNode to, String field, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            to.set(field, value);
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
