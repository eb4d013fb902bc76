/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import java.time.Instant;
import java.util.List;

/** A future as JSON, with names of fields that stay, and as a row of a table. What it does not have is left out. */
final class FutureView {

    private static final List<Column> COLUMNS = List.of(
            Column.of("FUTURE", "id"),
            Column.of("STATE", "state"),
            new Column("JOB", future -> future.path("job").asText()),
            Column.of("NAME", "name"),
            new Column(
                    "ATTEMPTS",
                    future -> future.path("attempts").asText() + "/"
                            + (future.path("maxRetries").asLong() + 1)),
            Column.of("WORKER", "seat"),
            Column.of("SUBMITTED", "submitted"),
            Column.of("MILLIS", "millis"),
            new Column("PROGRESS", FutureView::progress));

    private FutureView() {}

    static Section section(List<FutureDescription> futures) {
        return new Section(
                "futures",
                "future",
                "id",
                COLUMNS,
                futures.stream().map(FutureView::json).toList());
    }

    /** All there is to say of one future. */
    static ObjectNode json(FutureDescription future) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", Ids.of(future.getId()).toString())
                .put("state", Lifecycle.word(future.getState()))
                .put("job", future.getJob());
        text(json, "name", future.getName());
        text(json, "tenant", future.getTenant());
        text(json, "waitsFor", future.getWaitsFor());
        if (!future.getParent().isEmpty()) {
            json.put("parent", Ids.of(future.getParent()).toString());
        }
        json.put("priority", future.getPriority())
                .put("attempts", future.getAttempts())
                .put("maxRetries", future.getMaxRetries())
                .put("recomputed", future.getReconstructions())
                .put("upstreams", future.getUpstreams());
        if (future.hasClaim()) {
            text(json, "seat", future.getClaim().getSeat());
            json.put("incarnation", future.getClaim().getIncarnation())
                    .put("epoch", future.getClaim().getEpoch());
        }
        time(json, "submitted", future.getSubmittedWallMillis());
        time(json, "claimed", future.getClaimedWallMillis());
        time(json, "done", future.getDoneWallMillis());
        if (future.getDoneWallMillis() > 0) {
            json.put("millis", future.getDoneWallMillis() - future.getSubmittedWallMillis());
        }
        ending(json, future);
        return json;
    }

    private static void ending(ObjectNode json, FutureDescription future) {
        if (future.hasProgress()) {
            TaskProgress said = future.getProgress();
            ObjectNode progress = json.putObject("progress")
                    .put("done", said.getDone())
                    .put("total", said.getTotal())
                    .put("note", said.getNote());
            time(progress, "said", said.getSaidWallMillis());
        }
        if (future.getValueBytes() > 0) {
            json.put("bytes", future.getValueBytes());
            ArrayNode holders = json.putArray("holders");
            future.getHoldersList().forEach(holder -> holders.add(holder));
        }
        if (future.hasFailure()) {
            json.putObject("failure")
                    .put("type", future.getFailure().getType())
                    .put("message", future.getFailure().getMessage())
                    .put("stackTrace", future.getFailure().getStackTrace());
        }
    }

    /** How far the attempt that runs says it is: {@code 40/100 (40 %) note}. */
    static String progress(ObjectNode future) {
        if (!future.has("progress")) {
            return "-";
        }
        long done = future.path("progress").path("done").asLong();
        long total = future.path("progress").path("total").asLong();
        String share = total == 0 ? "" : "/" + total + " (" + 100 * done / total + " %)";
        return (done + share + " " + future.path("progress").path("note").asText()).strip();
    }

    private static void text(ObjectNode json, String field, String value) {
        if (!value.isEmpty()) {
            json.put(field, value);
        }
    }

    private static void time(ObjectNode json, String field, long wallMillis) {
        if (wallMillis > 0) {
            json.put(field, Instant.ofEpochMilli(wallMillis).toString());
        }
    }
}
