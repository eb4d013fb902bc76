/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.kubectl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.InvalidInputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Owns what the resources of a cluster say about its upgrade, and what a way back writes into its spec. Each revision
 * of workers keeps what the fields of class Upgrade said when it was made.
 */
public final class UpgradeResources {

    private final JsonNode cluster;
    private final List<JsonNode> workers = new ArrayList<>();
    private final String update;

    /**
     * What was read of a cluster.
     *
     * @param workers the list of its ComputeWorkers
     */
    public UpgradeResources(JsonNode cluster, JsonNode workers) {
        this.cluster = cluster;
        this.update = cluster.path("status").path("updateRevision").asText();
        workers.path("items").forEach(this.workers::add);
        this.workers.sort(Comparator.comparing(UpgradeResources::name));
    }

    /**
     * How far the upgrade is, and what it waits for.
     *
     * @param layouts the list of the cluster's ComputeLayouts
     */
    public View status(JsonNode layouts) {
        View view = new View();
        JsonNode policy = cluster.path("spec").path("upgrade");
        JsonNode status = cluster.path("status");
        view.fields()
                .put("strategy", policy.path("strategy").asText("SurgeThenRemove"))
                .put("suspended", policy.path("suspended").asBoolean())
                .put("currentRevision", status.path("currentRevision").asText())
                .put("updateRevision", update)
                .put("updatedReplicas", status.path("updatedReplicas").asInt())
                .put("replicas", status.path("replicas").asInt());
        StringBuilder line = new StringBuilder("cluster " + name(cluster) + ": updated "
                + status.path("updatedReplicas").asInt() + "/"
                + status.path("replicas").asInt() + ", "
                + policy.path("strategy").asText("SurgeThenRemove"));
        JsonNode level = status.path("store").path("formatLevel");
        if (level.isInt()) {
            view.fields().put("formatLevel", level.asInt());
            line.append(", format level ").append(level.asInt());
        }
        JsonNode progress = progress(layouts);
        if (!progress.isMissingNode()) {
            view.fields().set("progress", progress);
            line.append(", step ")
                    .append(progress.path("step").asInt())
                    .append(" of ")
                    .append(progress.path("steps").asInt())
                    .append(' ')
                    .append(progress.path("direction").asText().toLowerCase(Locale.ROOT))
                    .append(", attempt ")
                    .append(progress.path("attempt").asInt());
        }
        JsonNode blocked = blocked();
        if (blocked.path("status").asText().equals("True")) {
            view.fields().put("blocked", blocked.path("reason").asText());
            view.ending(blocked.path("reason").asText() + ": "
                    + blocked.path("message").asText());
        }
        return view.heading(line.toString()).section(seats(false));
    }

    /**
     * What is still to be replaced, and which fields changed.
     *
     * @param revisions the list of ControllerRevisions of the cluster's workers
     */
    public View plan(JsonNode revisions) {
        JsonNode before =
                fields(revisions, cluster.path("status").path("currentRevision").asText());
        JsonNode after = fields(revisions, update);
        List<ObjectNode> changes = new ArrayList<>();
        Set<String> paths = new TreeSet<>();
        before.fieldNames().forEachRemaining(paths::add);
        after.fieldNames().forEachRemaining(paths::add);
        for (String path : paths) {
            if (!before.path(path).equals(after.path(path))) {
                ObjectNode change = JsonNodeFactory.instance.objectNode().put("field", path);
                put(change, "before", before.path(path));
                put(change, "after", after.path(path));
                changes.add(change);
            }
        }
        Section fields = new Section(
                "changes",
                "change",
                "field",
                List.of(
                        Column.of("FIELD", "field"),
                        new Column("BEFORE", change -> text(change.path("before"))),
                        new Column("AFTER", change -> text(change.path("after")))),
                changes);
        Section seats = seats(true);
        View view = new View()
                .heading("cluster " + name(cluster) + ": " + seats.items().size() + " of " + workers.size()
                        + " workers are to be replaced")
                .section(fields)
                .section(seats);
        return seats.items().isEmpty() ? view.note("All workers are of the revision that the spec asks for.") : view;
    }

    /**
     * The JSON patch that gives the spec the fields of an earlier revision.
     *
     * @param to name of the revision; null: what all workers had last, or what they had before that
     * @throws InvalidInputException if there is none
     */
    public ArrayNode rollback(JsonNode revisions, @Nullable String to) {
        String target = to == null ? former(revisions) : to;
        JsonNode wanted = fields(revisions, target);
        if (wanted.isMissingNode()) {
            throw new InvalidInputException("There is no revision " + target
                    + " that says what it was made from; there are: " + String.join(", ", names(revisions)));
        }
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        // Unlike the version of the resource it stays when the status changes, as it does all the time meanwhile.
        patch.addObject()
                .put("op", "test")
                .put("path", "/metadata/generation")
                .set("value", cluster.path("metadata").path("generation"));
        JsonNode newest = fields(revisions, update);
        newest.fieldNames().forEachRemaining(path -> {
            boolean isThere = !cluster.at(pointer(path)).isMissingNode();
            if (!wanted.has(path) && isThere) {
                patch.addObject().put("op", "remove").put("path", pointer(path));
            }
        });
        wanted.properties().forEach(field -> {
            if (!cluster.at(pointer(field.getKey())).equals(field.getValue())) {
                patch.addObject()
                        .put("op", "add")
                        .put("path", pointer(field.getKey()))
                        .set("value", field.getValue());
            }
        });
        if (patch.size() == 1) {
            throw new InvalidInputException("The spec says what revision " + target + " was made from already.");
        }
        return patch;
    }

    /**
     * The level of formats that the cluster can be raised to.
     *
     * @throws InvalidInputException if the workers do not read a higher one than is recorded
     */
    public int finalizable() {
        JsonNode store = cluster.path("status").path("store");
        int level = store.path("formatLevel").asInt();
        int common = store.path("formatCommon").asInt();
        if (common <= level) {
            throw new InvalidInputException("There is nothing to finalize: the store of cluster " + name(cluster)
                    + " is of format level " + level + ", and " + common + " is what all its workers read.");
        }
        return common;
    }

    private String former(JsonNode revisions) {
        String current = cluster.path("status").path("currentRevision").asText();
        if (!current.isEmpty() && !current.equals(update)) {
            return current;
        }
        List<JsonNode> others = new ArrayList<>();
        revisions.path("items").forEach(others::add);
        return others.stream()
                .filter(revision -> !name(revision).equals(update))
                .max(Comparator.comparing(revision -> revision.path("revision").asLong()))
                .map(UpgradeResources::name)
                .orElseThrow(() -> new InvalidInputException("The cluster " + name(cluster) + " has had one revision of"
                        + " workers alone, " + update + ", so there is none to go back to."));
    }

    /** Those of the newest layout that was not given up; missing if no upgrade is under way. */
    private JsonNode progress(JsonNode layouts) {
        JsonNode newest = MissingNode.getInstance();
        for (JsonNode layout : layouts.path("items")) {
            boolean isOurs = layout.path("spec").path("clusterName").asText().equals(name(cluster));
            boolean isLater = layout.path("spec").path("epoch").asLong()
                    > newest.path("spec").path("epoch").asLong(-1);
            if (isOurs && isLater && layout.path("status").path("abort").isMissingNode()) {
                newest = layout;
            }
        }
        return newest.path("spec").path("upgrade");
    }

    private JsonNode blocked() {
        for (JsonNode condition : cluster.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("UpgradeBlocked")) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    private Section seats(boolean onlyOld) {
        List<ObjectNode> seats = new ArrayList<>();
        for (JsonNode worker : workers) {
            JsonNode pod = worker.path("status").path("pod");
            boolean updated = pod.path("revision").asText().equals(update);
            if (updated && onlyOld) {
                continue;
            }
            ObjectNode seat = JsonNodeFactory.instance.objectNode().put("seat", name(worker));
            put(seat, "revision", pod.path("revision"));
            put(seat, "version", worker.path("status").path("version"));
            seat.put("updated", updated);
            JsonNode holds = worker.path("status").path("holds");
            for (String held : List.of("futures", "objects", "actors", "sessions")) {
                put(seat, held, holds.path(held));
            }
            seats.add(seat);
        }
        List<Column> columns = new ArrayList<>(List.of(
                Column.of("SEAT", "seat"),
                Column.of("UPDATED", "updated"),
                Column.of("VERSION", "version"),
                Column.of("REVISION", "revision")));
        if (onlyOld) {
            columns.add(Column.of("OBJECTS", "objects"));
            columns.add(Column.of("ACTORS", "actors"));
            columns.add(Column.of("SESSIONS", "sessions"));
        }
        return new Section("seats", "seat", "seat", columns, seats);
    }

    private static JsonNode fields(JsonNode revisions, String name) {
        for (JsonNode revision : revisions.path("items")) {
            if (name(revision).equals(name)) {
                return revision.path("data").path("fields");
            }
        }
        return MissingNode.getInstance();
    }

    private static List<String> names(JsonNode revisions) {
        List<String> names = new ArrayList<>();
        revisions.path("items").forEach(revision -> names.add(name(revision)));
        return names;
    }

    /** {@code spec.workers.threads} as {@code /spec/workers/threads}. */
    private static String pointer(String path) {
        return "/" + path.replace('.', '/');
    }

    private static String name(JsonNode object) {
        return object.path("metadata").path("name").asText();
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "-" : value.isTextual() ? value.asText() : value.toString();
    }

    private static void put(ObjectNode to, String field, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            to.set(field, value);
        }
    }
}
