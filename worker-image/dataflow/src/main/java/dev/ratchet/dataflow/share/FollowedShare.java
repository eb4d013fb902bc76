/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.ShareFeed.Subscription;
import dev.ratchet.dataflow.ShareListener;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One process's share of one view, as a reading has it so far: rows that are not told yet, by step, and the last step
 * that the process has told. One that has too much waiting is not followed until that was taken, and then from there
 * on: the process keeps its changes anyway. All state belongs to the reading.
 */
final class FollowedShare {

    private final String view;
    private final ShareFeed feed;
    private final ViewReading reading;
    private final SortedMap<Long, Batch> waiting = new TreeMap<>();
    private long bytes;
    private long snapshotStep = ShareFeed.FROM_SNAPSHOT;
    private long toldStep;
    private @Nullable Following following;

    FollowedShare(String view, ShareFeed feed, long afterStep, ViewReading reading) {
        this.view = view;
        this.feed = feed;
        this.toldStep = afterStep;
        this.reading = reading;
    }

    String view() {
        return view;
    }

    /** The last step that the process has told, or {@link ShareFeed#FROM_SNAPSHOT}. */
    long toldStep() {
        return toldStep;
    }

    long snapshotStep() {
        return snapshotStep;
    }

    /** The first step whose rows wait; the largest number where none do. */
    long nextStep() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.firstKey();
    }

    long bytes() {
        return bytes;
    }

    void follow() {
        Following begun = new Following();
        following = begun;
        try {
            begun.subscription = feed.follow(view, reading.life(), toldStep, begun);
        } catch (IllegalArgumentException unknown) {
            // The process has not opened this program or this life of the circuit yet; whether there is such a view is
            // known without it.
            begun.ended(String.valueOf(unknown.getMessage()));
        }
    }

    void close() {
        Following former = following;
        following = null;
        if (former != null && former.subscription != null) {
            former.subscription.close();
        }
    }

    /** Follows as long as not too much waits. */
    void hold(long waitingBytesMax) {
        if (following != null && bytes > waitingBytesMax) {
            close();
        } else if (following == null && bytes <= waitingBytesMax / 2) {
            follow();
        }
    }

    List<Batch> take(long step) {
        SortedMap<Long, Batch> taken = waiting.headMap(step + 1);
        List<Batch> batches = new ArrayList<>(taken.values());
        taken.clear();
        batches.forEach(batch -> bytes -= batch.byteCount());
        return batches;
    }

    private void add(long step, Batch rows) {
        if (step <= toldStep) {
            // Taken again after a crash.
            return;
        }
        if (!rows.isEmpty()) {
            waiting.put(step, rows);
            bytes += rows.byteCount();
        }
        toldStep = step;
    }

    /** Hands on what the process tells, for as long as it is followed. */
    private final class Following implements ShareListener {
        private @Nullable Subscription subscription;

        private void told(Runnable change) {
            reading.told(FollowedShare.this, () -> {
                if (following == this) {
                    change.run();
                }
            });
        }

        @Override
        public void snapshot(long step, Batch rows) {
            told(() -> {
                snapshotStep = step;
                add(step, rows);
            });
        }

        @Override
        public void changes(long step, Batch rows) {
            told(() -> add(step, rows));
        }

        @Override
        public void progress(long step) {
            told(() -> toldStep = Math.max(toldStep, step));
        }

        @Override
        public void expired(long oldestStep) {
            told(() -> reading.expired(oldestStep));
        }

        @Override
        public void ended(String reason) {
            told(reading::ended);
        }
    }
}
