/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.ShareListener;
import java.util.function.Consumer;

/** Gives what a share tells as texts. */
public class TextShareListener implements ShareListener {

    private final Consumer<String> told;

    public TextShareListener(Consumer<String> told) {
        this.told = told;
    }

    @Override
    public void snapshot(long step, Batch rows) {
        told.accept("snapshot " + step + " " + TestRows.texts(rows));
    }

    @Override
    public void changes(long step, Batch rows) {
        told.accept("changes " + step + " " + TestRows.texts(rows));
    }

    @Override
    public void progress(long step) {
        told.accept("progress " + step);
    }

    @Override
    public void expired(long oldestStep) {
        told.accept("expired " + oldestStep);
    }

    @Override
    public void ended(String reason) {
        told.accept("ended " + reason);
    }
}
