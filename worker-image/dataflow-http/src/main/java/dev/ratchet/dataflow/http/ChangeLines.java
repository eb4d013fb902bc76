/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.run.RowText;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.StepSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Writes what happens to a view, as lines of JSON or as server-sent events: the rows of a step, and behind them that
 * the step is complete, which alone carries the id by which a reader resumes. One thread.
 */
final class ChangeLines implements StepSink {

    private static final int FLUSH_BYTES = 1 << 16;

    private final List<Integer> key;
    private final OutputStream out;
    private final boolean isEventStream;
    private final RowText text;

    ChangeLines(Relation view, OutputStream out, boolean isEventStream) {
        this.key = view.key();
        this.text = new RowText(view);
        this.out = out;
        this.isEventStream = isEventStream;
    }

    @Override
    public void beginSnapshot(long step) throws IOException {
        line("snapshot", step, "");
    }

    @Override
    public void rows(long step, Batch rows) throws IOException {
        try {
            OrderedRows.visit(rows, key, (row, weight) -> {
                text.append(isEventStream ? "event: change\ndata: {\"step\":" : "{\"step\":")
                        .append(step)
                        .append(",\"weight\":")
                        .append(weight)
                        .append(",\"row\":")
                        .json(row)
                        .append(isEventStream ? "}\n\n" : "}\n");
                if (text.length() > FLUSH_BYTES) {
                    drain();
                }
            });
        } catch (UncheckedIOException gone) {
            throw new IOException(gone);
        }
        text.drainTo(out);
    }

    @Override
    public void complete(long step, String position) throws IOException {
        if (isEventStream) {
            text.append("id: ").append(step).append("\n");
        }
        line("complete", step, ",\"position\":\"" + position + "\"");
        out.flush();
    }

    private void line(String event, long step, String fields) throws IOException {
        text.append(isEventStream ? "event: " + event + "\ndata: {\"step\":" : "{\"step\":")
                .append(step)
                .append(fields + ",\"" + event + "\":true}")
                .append(isEventStream ? "\n\n" : "\n")
                .drainTo(out);
    }

    /** An empty line, also for whoever forwards to readers. */
    @Override
    public void nothing() throws IOException {
        text.append(isEventStream ? ":\n\n" : "\n").drainTo(out);
        out.flush();
    }

    /** The last line of a stream that can not go on. */
    void failure(HttpFailure failure) throws IOException {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.setAll(HttpFailures.document(failure));
        text.append(isEventStream ? "event: error\ndata: " : "")
                .append(document.toString())
                .append(isEventStream ? "\n\n" : "\n")
                .drainTo(out);
        out.flush();
    }

    private void drain() {
        try {
            text.drainTo(out);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
