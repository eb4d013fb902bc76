/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.futures.v1.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The futures of a job in Chrome's trace event format: a process for each worker, with as many rows as futures were
 * claimed there at once, and an arrow from each future to those that its code has submitted. Times are those of the
 * last attempt; what runs yet ends now, and has no length where its attempt has ended without ending the future, as
 * nothing tells when. Clocks of machines differ: nothing ends before it begins. Futures that have not run are left out.
 */
final class ChromeTrace {

    private ChromeTrace() {}

    /** Where a future is drawn. */
    private record Slice(int process, int row, long startMillis, long endMillis) {}

    /**
     * @param futures by the time of their claims
     * @param nowMillis the wall clock
     */
    static void write(List<FutureDescription> futures, long nowMillis, JsonGenerator json) throws IOException {
        Map<ByteString, Slice> slices = new HashMap<>();
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
            boolean runs = future.getState() == State.STATE_CLAIMED;
            long end = Math.max(start, runs ? nowMillis : future.getDoneWallMillis());
            int row = row(rowsBusyUntil.computeIfAbsent(seat, unused -> new ArrayList<>()), start, end);
            Slice slice = new Slice(processes.getOrDefault(seat, 0), row, start, end);
            slices.put(future.getId(), slice);
            event(json, future, slice);
        }
        for (FutureDescription future : futures) {
            Slice parent = slices.get(future.getParent());
            Slice child = slices.get(future.getId());
            if (parent != null && child != null) {
                arrow(json, future, parent, child);
            }
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

    /** From within the slice of the parent, when the child was submitted, to the begin of the child's. */
    private static void arrow(JsonGenerator json, FutureDescription child, Slice from, Slice to) throws IOException {
        long submitted = Math.clamp(child.getSubmittedWallMillis(), from.startMillis(), from.endMillis());
        arrowEnd(json, child, "s", from, submitted);
        arrowEnd(json, child, "f", to, Math.max(submitted, to.startMillis()));
    }

    private static void arrowEnd(JsonGenerator json, FutureDescription child, String phase, Slice slice, long millis)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("name", "submits");
        json.writeStringField("cat", "submit");
        json.writeStringField("ph", phase);
        json.writeStringField("bp", "e");
        json.writeStringField("id", Ids.of(child.getId()).toString());
        json.writeNumberField("ts", millis * 1_000);
        json.writeNumberField("pid", slice.process());
        json.writeNumberField("tid", slice.row());
        json.writeEndObject();
    }

    private static void event(JsonGenerator json, FutureDescription future, Slice slice) throws IOException {
        String id = Ids.of(future.getId()).toString();
        json.writeStartObject();
        json.writeStringField("name", future.getName().isEmpty() ? id.substring(0, 8) : future.getName());
        json.writeStringField("cat", Lifecycle.word(future.getState()));
        json.writeStringField("ph", "X");
        json.writeNumberField("ts", slice.startMillis() * 1_000);
        json.writeNumberField("dur", (slice.endMillis() - slice.startMillis()) * 1_000);
        json.writeNumberField("pid", slice.process());
        json.writeNumberField("tid", slice.row());
        json.writeObjectFieldStart("args");
        json.writeStringField("future", id);
        if (!future.getParent().isEmpty()) {
            json.writeStringField("parent", Ids.of(future.getParent()).toString());
        }
        json.writeNumberField("attempts", future.getAttempts());
        json.writeNumberField(
                "queuedMillis", Math.max(0, future.getClaimedWallMillis() - future.getSubmittedWallMillis()));
        json.writeNumberField("valueBytes", future.getValueBytes());
        json.writeEndObject();
        json.writeEndObject();
    }
}
