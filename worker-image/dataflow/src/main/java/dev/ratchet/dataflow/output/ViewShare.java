/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.output;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.environment.GuardedCallbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one view in the steps after {@link #floor} up to {@link #last}, without a gap, and who follows it. As
 * much is kept as is wanted and fits in memory. Guarded by its {@link ViewShares}.
 */
final class ViewShare {

    private static final long KEPT_BYTES_MAX = 64L << 20;

    /** Steps that changed something. */
    private final NavigableMap<Long, Batch> changes = new TreeMap<>();

    private final List<Subscriber> subscribers = new ArrayList<>();
    private long keptBytes;

    /** Both -1 before the first step. */
    private long floor = -1;

    private long last = -1;

    void add(Subscriber subscriber) {
        subscribers.add(subscriber);
        if (subscriber.step != ShareFeed.FROM_SNAPSHOT && last >= 0 && !catchUp(subscriber)) {
            subscribers.remove(subscriber);
        }
    }

    void remove(Subscriber subscriber) {
        subscribers.remove(subscriber);
    }

    /** The last step that is there, -1 for none. */
    long last() {
        return last;
    }

    /**
     * Begins behind a step where there is none yet: a run that has nothing to take again may tell none for long, and
     * who waits for what is not there any more is to know.
     */
    void begin(long step) {
        if (last < 0) {
            floor = step;
            last = step;
            catchUpAll();
        }
    }

    /** @param consumed changes behind this step are kept in any case */
    void publish(long step, @Nullable Batch changed, int retainedSteps, long consumed) {
        if (step <= last) {
            return;
        }
        if (last < 0) {
            floor = step - 1;
        }
        last = step;
        if (changed != null && !changed.isEmpty()) {
            changes.put(step, changed);
            keptBytes += changed.byteCount();
        }
        catchUpAll();
        floor = Math.max(floor, Math.min(last - retainedSteps, consumed));
        while (keptBytes > KEPT_BYTES_MAX && changes.size() > 1 && changes.firstKey() <= consumed) {
            Map.Entry<Long, Batch> oldest = changes.pollFirstEntry();
            floor = oldest.getKey();
            keptBytes -= oldest.getValue().byteCount();
        }
        while (!changes.isEmpty() && changes.firstKey() <= floor) {
            keptBytes -= changes.pollFirstEntry().getValue().byteCount();
        }
    }

    private void catchUpAll() {
        for (Subscriber subscriber : List.copyOf(subscribers)) {
            if (subscriber.step != ShareFeed.FROM_SNAPSHOT && !catchUp(subscriber)) {
                subscribers.remove(subscriber);
            }
        }
    }

    /** Tells all steps that the subscriber does not know; false where one of them is gone. */
    private boolean catchUp(Subscriber subscriber) {
        if (subscriber.step < floor) {
            GuardedCallbacks.run("telling a subscriber", () -> subscriber.listener.expired(floor));
            return false;
        }
        changes.tailMap(subscriber.step, false)
                .forEach((step, rows) ->
                        GuardedCallbacks.run("telling a subscriber", () -> subscriber.listener.changes(step, rows)));
        if (last > subscriber.step && !changes.containsKey(last)) {
            GuardedCallbacks.run("telling a subscriber", () -> subscriber.listener.progress(last));
        }
        subscriber.step = Math.max(subscriber.step, last);
        return true;
    }

    void takeSnapshots(long step, Supplier<Batch> rows) {
        Batch taken = null;
        for (Subscriber subscriber : List.copyOf(subscribers)) {
            if (subscriber.step == ShareFeed.FROM_SNAPSHOT) {
                if (taken == null) {
                    taken = rows.get();
                }
                Batch snapshot = taken;
                subscriber.step = step;
                GuardedCallbacks.run("telling a subscriber", () -> subscriber.listener.snapshot(step, snapshot));
                if (last > step) {
                    catchUp(subscriber);
                }
            }
        }
    }

    void end(String reason) {
        List<Subscriber> told = List.copyOf(subscribers);
        subscribers.clear();
        GuardedCallbacks.each("telling a subscriber", told, subscriber -> subscriber.listener.ended(reason));
    }
}
