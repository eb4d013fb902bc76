/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps what a reading was told, as texts. */
final class RecordingListener implements ViewListener {

    private final List<String> told = new ArrayList<>();

    @Override
    public void snapshot(long step, Map<String, Batch> rows) {
        told.add("snapshot " + step + " " + texts(rows));
    }

    @Override
    public void changes(long step, Map<String, Batch> rows) {
        told.add("changes " + step + " " + texts(rows));
    }

    private static String texts(Map<String, Batch> rows) {
        List<String> texts = new ArrayList<>();
        rows.forEach((view, batch) -> texts.add(view + TestRows.texts(batch)));
        return String.join(" ", texts);
    }

    @Override
    public void progress(long step) {
        told.add("progress " + step);
    }

    @Override
    public void expired(long oldestStep) {
        told.add("expired " + oldestStep);
    }

    @Override
    public void failed(String reason) {
        told.add("failed " + reason);
    }

    /** What was told since this was asked last. */
    List<String> take() {
        List<String> taken = List.copyOf(told);
        told.clear();
        return taken;
    }
}
