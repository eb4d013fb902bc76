/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.share.ViewListener;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Hands what a reading is told to the thread of a request, which requests as much as it can take. */
public final class ViewEvents implements ViewListener {

    private final BlockingQueue<ViewEvent> queue = new LinkedBlockingQueue<>();

    /** The next event; null where none came in time. */
    public @Nullable ViewEvent poll(long millis) throws InterruptedException {
        return queue.poll(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void snapshot(long step, Map<String, Batch> rows) {
        queue.add(new ViewEvent.Rows(step, rows, true));
    }

    @Override
    public void changes(long step, Map<String, Batch> rows) {
        queue.add(new ViewEvent.Rows(step, rows, false));
    }

    @Override
    public void progress(long step) {
        queue.add(new ViewEvent.Progress(step));
    }

    @Override
    public void expired(long oldestStep) {
        queue.add(new ViewEvent.Expired(oldestStep));
    }

    @Override
    public void failed(String reason) {
        queue.add(new ViewEvent.Failed(reason));
    }
}
