/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The futures of a job in Chrome's trace event format: a process for each worker, with as many rows as futures were
 * claimed there at once; times are those of the last attempt. Futures that have not run are left out.
 */
final class ChromeTrace {

    private ChromeTrace() {}

    /** @param futures by the time of their claims */
    static void write(List<FutureDescription> futures, JsonGenerator json) throws IOException {
        Map<String, Integer> processes = new LinkedHashMap<>();
        Map<String, List<Long>> rowsBusyUntil = new LinkedHashMap<>();
        json.writeStartObject();
        json.writeArrayFieldStart("traceEvents");
        for (FutureDescription future : futures) {
            String seat = future.getClaim().getSeat();
            if (seat.isEmpty() || future.getClaimedWallMillis() == 0) {
                continue;
            }
            if (!processes.containsKey(seat)) {
                processes.put(seat, processes.size() + 1);
                name(json, seat, processes.size());
            }
            long start = future.getClaimedWallMillis();
            long end = Math.max(start, future.getDoneWallMillis() == 0 ? start : future.getDoneWallMillis());
            int row = row(rowsBusyUntil.computeIfAbsent(seat, unused -> new ArrayList<>()), start, end);
            event(json, future, processes.getOrDefault(seat, 0), row, end - start);
        }
        json.writeEndArray();
        json.writeStringField("displayTimeUnit", "ms");
        json.writeEndObject();
    }

    /** The first row that is free at {@code start}. */
    private static int row(List<Long> busyUntil, long start, long end) {
        for (int row = 0; row < busyUntil.size(); row++) {
            if (busyUntil.get(row) <= start) {
                busyUntil.set(row, end);
                return row;
            }
        }
        busyUntil.add(end);
        return busyUntil.size() - 1;
    }

    private static void name(JsonGenerator json, String seat, int process) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", "process_name");
        json.writeStringField("ph", "M");
        json.writeNumberField("pid", process);
        json.writeObjectFieldStart("args");
        json.writeStringField("name", seat);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void event(JsonGenerator json, FutureDescription future, int process, int row, long millis)
            throws IOException {
        String id = Ids.of(future.getId()).toString();
        json.writeStartObject();
        json.writeStringField("name", future.getName().isEmpty() ? id.substring(0, 8) : future.getName());
        json.writeStringField("cat", Lifecycle.word(future.getState()));
        json.writeStringField("ph", "X");
        json.writeNumberField("ts", future.getClaimedWallMillis() * 1_000);
        json.writeNumberField("dur", millis * 1_000);
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", row);
        json.writeObjectFieldStart("args");
        json.writeStringField("future", id);
        if (!future.getParent().isEmpty()) {
            json.writeStringField("parent", Ids.of(future.getParent()).toString());
        }
        json.writeNumberField("attempts", future.getAttempts());
        json.writeNumberField("queuedMillis", future.getClaimedWallMillis() - future.getSubmittedWallMillis());
        json.writeNumberField("valueBytes", future.getValueBytes());
        json.writeEndObject();
        json.writeEndObject();
    }
}
