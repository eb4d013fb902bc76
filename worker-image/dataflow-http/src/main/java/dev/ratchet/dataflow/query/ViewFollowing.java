/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.query;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.RefusedException.Reason;
import dev.ratchet.dataflow.share.ViewReader.Reading;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a reader what happens to a view, whole step by whole step, from a snapshot or from behind a step on, on the
 * reader's own thread. Used by one thread.
 */
public final class ViewFollowing implements AutoCloseable {

    /** A reader is answered by then even where nothing has changed. */
    private static final long BEGIN_MILLIS = 500;

    private static final long POLL_MILLIS = 1_000;
    private static final int QUIET_POLLS = 10;

    private final ServedCircuit circuit;
    private final ViewAnswers answers;
    private final Relation view;
    private final ViewEvents events = new ViewEvents();
    private final Reading reading;
    private @Nullable ViewEvent first;

    /**
     * Begins to follow.
     *
     * @param answers tells which input steps stand for
     * @param view of the program that runs
     * @param after the step behind which it begins; empty: with a snapshot
     * @throws RefusedException where it is known at once that it can not be followed from there
     */
    ViewFollowing(ServedCircuit circuit, ViewAnswers answers, Relation view, Optional<Long> after)
            throws InterruptedException {
        this.circuit = circuit;
        this.answers = answers;
        this.view = view;
        if (after.isPresent()) {
            long last = answers.lastStep();
            if (after.get() > last) {
                throw expired("The circuit has no step " + after.get() + ", its last one is " + last
                                + ": it was started anew since somebody was told that step")
                        .detail("snapshotStep", circuit.status().step());
            }
        }
        reading = after.isPresent()
                ? circuit.views().follow(view.name(), after.get(), events)
                : circuit.views().snapshot(List.of(view.name()), events);
        boolean isBegun = false;
        try {
            reading.request(2);
            first = events.poll(BEGIN_MILLIS);
            if (first != null) {
                refuse(first);
            }
            isBegun = true;
        } finally {
            if (!isBegun) {
                reading.close();
            }
        }
    }

    /**
     * Tells what happens until the reader is gone or has ended.
     *
     * @throws RefusedException where the view can not be followed any more
     */
    public void tell(StepSink sink, BooleanSupplier hasEnded) throws IOException, InterruptedException {
        int quiet = 0;
        for (ViewEvent next = first; !hasEnded.getAsBoolean(); next = events.poll(POLL_MILLIS)) {
            if (next == null) {
                if (++quiet % QUIET_POLLS == 0) {
                    sink.nothing();
                }
                continue;
            }
            quiet = 0;
            refuse(next);
            tell(next, sink);
            reading.request(1);
        }
    }

    private void tell(ViewEvent event, StepSink sink) throws IOException, InterruptedException {
        if (event instanceof ViewEvent.Rows rows) {
            if (rows.isSnapshot()) {
                sink.beginSnapshot(rows.step());
            }
            Batch changed = rows.byView().get(view.name());
            if (changed != null) {
                sink.rows(rows.step(), changed);
            }
            sink.complete(rows.step(), answers.position(rows.step()));
        } else if (event instanceof ViewEvent.Progress progress) {
            sink.complete(progress.step(), answers.position(progress.step()));
        }
    }

    private void refuse(ViewEvent event) {
        if (event instanceof ViewEvent.Expired expired) {
            throw expired("Changes are kept from step " + expired.oldestStep() + " on, which is not enough")
                    .detail("oldestStep", expired.oldestStep())
                    .detail("snapshotStep", circuit.status().step());
        }
        if (event instanceof ViewEvent.Failed failed) {
            throw expired(failed.reason());
        }
    }

    private static RefusedException expired(String message) {
        return new RefusedException(Reason.EXPIRED, message, "Begin with a snapshot: follow without a step");
    }

    @Override
    public void close() {
        reading.close();
    }
}
