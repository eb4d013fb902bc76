/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** How sessions are told to people and scripts. */
final class SessionView {

    private static final List<Column> COLUMNS = List.of(
            Column.of("SESSION", "id"),
            Column.of("STATE", "state"),
            Column.of("NAME", "name"),
            Column.of("WORKER", "seat"),
            Column.of("SLOTS", "slots"),
            Column.of("LABELS", "labels"),
            Column.of("CREATED", "created"),
            Column.of("OPENED", "opened"),
            Column.of("MESSAGE", "message"));

    private SessionView() {}

    static Section section(List<SessionDescription> sessions) {
        return new Section(
                "sessions",
                "session",
                "id",
                COLUMNS,
                sessions.stream().map(SessionView::json).toList());
    }

    static ObjectNode json(SessionDescription session) {
        SessionRecord record = session.getRecord();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("id", SessionIds.of(session.getId()).toString())
                .put("state", state(record.getState()));
        text(json, "name", record.getName());
        text(json, "seat", record.getSeat());
        text(json, "labels", labels(record.getLabelsMap()));
        json.put("slots", slots(record)).put("priority", record.getPriority());
        text(json, "workerLabels", labels(record.getDemand().getWorkerLabelsMap()));
        time(json, "created", record.getCreatedWallMillis());
        time(json, "opened", record.getOpenedWallMillis());
        time(json, "ended", record.getEndedWallMillis());
        if (record.getState() == SessionState.SESSION_STATE_FAILED) {
            json.put("reason", record.getReason().name().replace("SESSION_FAILURE_REASON_", ""));
        }
        session(json, "predecessor", record.getPredecessor());
        session(json, "successor", record.getSuccessor());
        text(json, "message", record.getMessage());
        return json;
    }

    /** In the order of their keys. */
    static String labels(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    private static String state(SessionState state) {
        return state.name().replace("SESSION_STATE_", "");
    }

    /** Those that it has by their numbers; while it waits, what it asks for. */
    private static String slots(SessionRecord record) {
        return record.getSlotsCount() == 0
                ? new TreeMap<>(record.getDemand().getSlotsMap())
                        .entrySet().stream()
                                .map(slot -> slot.getKey() + "*" + slot.getValue())
                                .collect(Collectors.joining(","))
                : record.getSlotsList().stream().map(SessionView::slot).collect(Collectors.joining(","));
    }

    private static String slot(HeldSlot slot) {
        return slot.getResource() + "/" + slot.getNumber();
    }

    private static void session(ObjectNode json, String name, ByteString id) {
        if (!id.isEmpty()) {
            json.put(name, SessionIds.of(id).toString());
        }
    }

    private static void text(ObjectNode json, String name, String value) {
        if (!value.isEmpty()) {
            json.put(name, value);
        }
    }

    private static void time(ObjectNode json, String name, long wallMillis) {
        if (wallMillis > 0) {
            json.put(name, Instant.ofEpochMilli(wallMillis).toString());
        }
    }

    /** @throws InvalidInputException if this is no id */
    static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidInputException(
                    "'" + text + "' is not the id of a session: see ratchet sessions list.", malformed);
        }
    }
}
