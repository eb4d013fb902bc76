/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.model.Metadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cells of built-in kinds that are more than a path. Their names are those of the table of built-in kinds. */
final class ComputedCells {

    private static final String NONE = "<none>";
    private static final String UNSET = "<unset>";
    private static final int SHOWN_ENDPOINTS = 3;

    private ComputedCells() {}

    static void add(String name, ArrayNode cells, ObjectNode object, Instant now) {
        JsonNode spec = object.path("spec");
        switch (name) {
            case "podReady" -> cells.add(PodCells.ready(object));
            case "podStatus" -> cells.add(PodCells.status(object));
            case "podRestarts" -> cells.add(PodCells.restarts(object, now));
            case "servicePorts" -> cells.add(ports(spec.path("ports")));
            case "specSelector" -> cells.add(selector(spec.get("selector")));
            case "podSelector" -> cells.add(selector(Json.at(spec, "podSelector", "matchLabels")));
            case "endpoints" -> cells.add(endpoints(object));
            case "dataCount" ->
                cells.add((long) object.path("data").size()
                        + object.path("binaryData").size());
            case "secretCount" -> cells.add((long) object.path("secrets").size());
            case "accessModes" -> cells.add(accessModes(spec.path("accessModes")));
            case "claim" -> cells.add(claim(spec.path("claimRef")));
            case "nodeStatus" -> cells.add(nodeStatus(object));
            case "eventLastSeen" -> cells.add(TablePrinter.age(lastSeen(object), now));
            case "eventObject" -> cells.add(eventObject(object));
            case "eventCount" -> cells.add(object.path("count").asLong(1));
            case "minAvailable" ->
                cells.add(spec.has("minAvailable") ? spec.path("minAvailable").asText() : "N/A");
            case "maxUnavailable" ->
                cells.add(
                        spec.has("maxUnavailable") ? spec.path("maxUnavailable").asText() : "N/A");
            case "controller" -> cells.add(controller(object));
            case "roleRef" ->
                cells.add(Json.textAt(object, "roleRef", "kind") + "/" + Json.textAt(object, "roleRef", "name"));
            case "scaleTarget" ->
                cells.add(Json.textAt(spec, "scaleTargetRef", "kind") + "/"
                        + Json.textAt(spec, "scaleTargetRef", "name"));
            default -> cells.add(NONE);
        }
    }

    private static String ports(JsonNode ports) {
        List<String> shown = new ArrayList<>();
        for (JsonNode port : ports) {
            String node = port.path("nodePort").asLong(0) > 0
                    ? ":" + port.path("nodePort").asText()
                    : "";
            shown.add(port.path("port").asText() + node + "/"
                    + port.path("protocol").asText("TCP"));
        }
        return shown.isEmpty() ? NONE : String.join(",", shown);
    }

    private static String selector(@Nullable JsonNode labels) {
        Map<String, String> map = Metadata.strings(labels);
        return map.isEmpty()
                ? NONE
                : map.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    private static String endpoints(ObjectNode object) {
        List<String> found = new ArrayList<>();
        for (JsonNode subset : object.path("subsets")) {
            for (JsonNode address : subset.path("addresses")) {
                for (JsonNode port : subset.path("ports")) {
                    found.add(address.path("ip").asText() + ":"
                            + port.path("port").asText());
                }
            }
        }
        if (found.isEmpty()) {
            return NONE;
        }
        int more = found.size() - SHOWN_ENDPOINTS;
        return String.join(",", found.subList(0, Math.min(SHOWN_ENDPOINTS, found.size())))
                + (more > 0 ? " + " + more + " more..." : "");
    }

    private static String accessModes(JsonNode modes) {
        List<String> shown = new ArrayList<>();
        for (JsonNode mode : modes) {
            shown.add(
                    switch (mode.asText()) {
                        case "ReadWriteOnce" -> "RWO";
                        case "ReadOnlyMany" -> "ROX";
                        case "ReadWriteMany" -> "RWX";
                        case "ReadWriteOncePod" -> "RWOP";
                        default -> mode.asText();
                    });
        }
        return String.join(",", shown);
    }

    private static String claim(JsonNode reference) {
        return reference.isMissingNode()
                ? ""
                : reference.path("namespace").asText() + "/"
                        + reference.path("name").asText();
    }

    private static String nodeStatus(ObjectNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ready = condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean(false) ? ready + ",SchedulingDisabled" : ready;
    }

    private static String lastSeen(ObjectNode event) {
        String series = Json.textAt(event, "series", "lastObservedTime");
        for (String field : List.of(
                "lastTimestamp",
                "deprecatedLastTimestamp",
                "eventTime",
                "firstTimestamp",
                "deprecatedFirstTimestamp")) {
            if (series.isEmpty()) {
                series = event.path(field).isNull() ? "" : event.path(field).asText("");
            }
        }
        return series;
    }

    private static String eventObject(ObjectNode event) {
        JsonNode involved = event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
        return involved.path("kind").asText().toLowerCase(java.util.Locale.ROOT) + "/"
                + involved.path("name").asText();
    }

    private static String controller(ObjectNode object) {
        for (ObjectNode owner : Metadata.ownerReferences(object)) {
            if (owner.path("controller").asBoolean(false)) {
                String group = owner.path("apiVersion").asText();
                String suffix = group.contains("/") ? "." + group.substring(0, group.indexOf('/')) : "";
                return owner.path("kind").asText().toLowerCase(java.util.Locale.ROOT) + suffix + "/"
                        + owner.path("name").asText();
            }
        }
        return UNSET;
    }
}
