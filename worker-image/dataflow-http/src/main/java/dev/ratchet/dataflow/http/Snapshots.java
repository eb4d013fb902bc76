/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import java.util.List;
import java.util.Map;

/** Reads all rows of some views as they are after one step. */
final class Snapshots {

    private final ServedCircuit circuit;
    private final long answerMillis;

    Snapshots(ServedCircuit circuit, long answerMillis) {
        this.circuit = circuit;
        this.answerMillis = answerMillis;
    }

    /** @param byView for each view the rows */
    record Snapshot(long step, Map<String, Batch> byView, String position) {}

    Snapshot take(List<String> views) throws InterruptedException {
        ViewEvents events = new ViewEvents();
        ViewEvent first;
        try (Reading reading = circuit.views().snapshot(views, events)) {
            reading.request(1);
            first = events.poll(answerMillis);
        }
        if (first instanceof ViewEvent.Rows rows) {
            return new Snapshot(rows.step(), rows.byView(), position(rows.step()));
        }
        if (first instanceof ViewEvent.Failed failed) {
            throw new HttpFailure(413, failed.reason(), "Read less at once, or follow the view");
        }
        throw Programs.notRunning(circuit, "The circuit has not given its rows within " + answerMillis + " ms");
    }

    /** The position of the input log for which a step stands; empty text where it is not known any more. */
    String position(long step) throws InterruptedException {
        return Waits.await(circuit.inputOf(step), answerMillis, "Ask again").orElse("");
    }
}
