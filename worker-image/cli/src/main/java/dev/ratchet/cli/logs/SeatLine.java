/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.logs.v1.LogLine;
import java.time.Instant;
import java.util.Comparator;

/** A line and the worker that wrote it. Ordered by the workers' clocks. */
public record SeatLine(String seat, LogLine line) {

    static final Comparator<SeatLine> BY_TIME = Comparator.comparingLong(
                    (SeatLine one) -> one.line().getWallMillis())
            .thenComparing(SeatLine::seat)
            .thenComparingLong(one -> one.line().getNumber());

    public Instant time() {
        return Instant.ofEpochMilli(line.getWallMillis());
    }

    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("seat", seat)
                .put("number", line.getNumber())
                .put("time", time().toString());
        if (!line.getFuture().isEmpty()) {
            json.put("future", Ids.of(line.getFuture()).toString());
        }
        if (!line.getJob().isEmpty()) {
            json.put("job", line.getJob());
        }
        return json.put("text", line.getText());
    }
}
