/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.local.apiserver.json.Json;
import dev.ratchet.local.apiserver.json.JsonPath;
import dev.ratchet.local.apiserver.model.Metadata;
import dev.ratchet.local.apiserver.model.PrinterColumn;
import dev.ratchet.local.apiserver.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Prints objects as the rows of a meta.k8s.io/v1 Table. Keeps compiled paths, as many as there are columns. */
public final class TablePrinter {

    private final Map<String, JsonPath> paths = new ConcurrentHashMap<>();

    /**
     * The table of {@code objects}.
     *
     * @param includeObject {@code None}, {@code Metadata} or {@code Object}: what each row carries besides its cells
     */
    public ObjectNode print(ResourceType type, List<ObjectNode> objects, String includeObject) {
        ObjectNode table = Json.object();
        table.put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.putObject("metadata");
        ArrayNode definitions = table.putArray("columnDefinitions");
        for (PrinterColumn column : type.columns()) {
            definitions
                    .addObject()
                    .put("name", column.name())
                    .put("type", column.type())
                    .put("format", column.format())
                    .put("description", column.description())
                    .put("priority", (long) column.priority());
        }
        ArrayNode rows = table.putArray("rows");
        Instant now = Instant.now();
        for (ObjectNode object : objects) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            for (PrinterColumn column : type.columns()) {
                addCell(cells, column, object, now);
            }
            switch (includeObject) {
                case "None" -> {}
                case "Object" -> row.set("object", object);
                default -> row.set("object", partial(object));
            }
        }
        return table;
    }

    /** Only the metadata of {@code object}, as a PartialObjectMetadata. */
    public static ObjectNode partial(ObjectNode object) {
        ObjectNode partial = Json.object();
        partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    private void addCell(ArrayNode cells, PrinterColumn column, ObjectNode object, Instant now) {
        if (!column.source().startsWith(".") && !column.source().startsWith("{")) {
            ComputedCells.add(column.source(), cells, object, now);
            return;
        }
        List<JsonNode> found =
                paths.computeIfAbsent(column.source(), JsonPath::compile).find(object);
        if (found.isEmpty() || found.get(0).isNull()) {
            cells.addNull();
        } else if (column.type().equals("date")) {
            cells.add(age(found.get(0).asText(), now));
        } else if (column.type().equals("string")) {
            JsonNode first = found.get(0);
            cells.add(
                    found.size() > 1
                            ? found.stream()
                                    .map(JsonNode::asText)
                                    .reduce((a, b) -> a + "," + b)
                                    .orElse("")
                            : text(first));
        } else {
            cells.add(found.get(0));
        }
    }

    private static String text(JsonNode node) {
        return node.isValueNode() ? node.asText() : node.toString();
    }

    static String age(String timestamp, Instant now) {
        Instant then = Metadata.instant(timestamp);
        return then == null ? "<unknown>" : HumanDuration.of(Duration.between(then, now));
    }
}
