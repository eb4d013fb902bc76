/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchMerge;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.ShareListener;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One process's share of one view, in memory: keeps the changes of steps until a test forgets them. */
public final class MemoryShareFeed implements ShareFeed {

    private final String view;
    private final RowSchema schema;
    private final NavigableMap<Long, Batch> changes = new TreeMap<>();
    private final List<ShareListener> listeners = new ArrayList<>();
    private Batch rows;
    private long step;
    private long oldestStep = 1;
    private long life;
    private int follows;

    public MemoryShareFeed(String view, RowSchema schema) {
        this.view = view;
        this.schema = schema;
        this.rows = Batch.empty(schema);
    }

    @Override
    public synchronized Subscription follow(String wanted, long known, long afterStep, ShareListener listener) {
        if (!wanted.equals(view)) {
            throw new IllegalArgumentException("There is no view " + wanted);
        }
        if (known != ANY_LIFE && life != ANY_LIFE && known != life) {
            throw new IllegalArgumentException("This is life " + life + ", not " + known);
        }
        follows++;
        if (afterStep == FROM_SNAPSHOT) {
            listener.snapshot(step, rows);
        } else if (afterStep + 1 < oldestStep) {
            listener.expired(oldestStep);
            return () -> {};
        } else {
            changes.tailMap(afterStep, false).forEach(listener::changes);
            listener.progress(step);
        }
        listeners.add(listener);
        return () -> remove(listener);
    }

    private synchronized void remove(ShareListener listener) {
        listeners.remove(listener);
    }

    /** Takes the next step with what it changes. */
    public synchronized void step(Batch change) {
        step++;
        rows = BatchMerge.merge(schema, List.of(rows, change));
        changes.put(step, change);
        tell(listener -> listener.changes(step, change));
    }

    /** Takes the next step, which changes nothing. */
    public synchronized void step() {
        step++;
        tell(listener -> listener.progress(step));
    }

    /** Goes back to a step, as after a crash; whoever follows is told that it ended. */
    public synchronized void restartAt(long earlier) {
        Batch sum = Batch.empty(schema);
        for (Batch change : changes.headMap(earlier, true).values()) {
            sum = BatchMerge.merge(schema, List.of(sum, change));
        }
        rows = sum;
        step = earlier;
        changes.tailMap(earlier, false).clear();
        tell(listener -> listener.ended("restarted"));
        listeners.clear();
    }

    /** Begins anew with nothing, as in another life of the circuit. */
    public synchronized void beginLife(long next) {
        restartAt(0);
        life = next;
    }

    /** Keeps no changes before a step any more. */
    public synchronized void forgetBefore(long first) {
        oldestStep = first;
        changes.headMap(first).clear();
    }

    /** How often somebody began to follow. */
    public synchronized int follows() {
        return follows;
    }

    private void tell(Consumer<ShareListener> event) {
        List.copyOf(listeners).forEach(event);
    }
}
