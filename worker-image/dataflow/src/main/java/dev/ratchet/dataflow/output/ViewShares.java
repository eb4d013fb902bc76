/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.output;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.ShareListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The shares of all views, of which the last steps' changes are kept. They stay when a run ends: steps that are taken
 * again change the same. Safe for use by several threads; listeners are told one thing at a time.
 */
public final class ViewShares implements ShareFeed {

    /** How many steps of changes are kept where nothing else is said. */
    public static final int RETAINED_STEPS_DEFAULT = 1_000;

    private final Runnable snapshotWanted;
    private final Map<String, ViewShare> views = new LinkedHashMap<>();
    private Map<String, Integer> retainedSteps = Map.of();
    private Map<String, Long> consumedSteps = Map.of();
    private long life;

    /** @param snapshotWanted is called when {@link #takeSnapshots} has something to do; must not block */
    public ViewShares(Runnable snapshotWanted) {
        this.snapshotWanted = snapshotWanted;
    }

    /** Tells which views there are. In another life of the circuit everything begins anew. */
    public synchronized void open(long current, Iterable<String> names, Map<String, Integer> retained) {
        if (current != life) {
            life = current;
            views.values().forEach(view -> view.end("the circuit was started anew"));
            views.clear();
        }
        retainedSteps = new HashMap<>(retained);
        names.forEach(name -> views.computeIfAbsent(name, key -> new ViewShare()));
    }

    /** Tells behind which step a run begins: where none is there yet, that one is the last. */
    public synchronized void begin(long step) {
        views.values().forEach(view -> view.begin(step));
    }

    /** Tells for views behind which step changes are kept whatever their number and size. */
    public synchronized void keep(Map<String, Long> consumed) {
        consumedSteps = consumed;
    }

    @Override
    public Subscription follow(String view, long wanted, long afterStep, ShareListener listener) {
        ViewShare share;
        Subscriber subscriber = new Subscriber(listener, afterStep);
        synchronized (this) {
            if (wanted != ANY_LIFE && wanted != life) {
                throw new IllegalArgumentException(
                        "The views are of life " + life + " of the circuit, not of life " + wanted);
            }
            share = views.get(view);
            if (share == null) {
                throw new IllegalArgumentException("There is no view '" + view + "'; the views are " + views.keySet());
            }
            share.add(subscriber);
        }
        if (afterStep == FROM_SNAPSHOT) {
            snapshotWanted.run();
        }
        return () -> remove(share, subscriber);
    }

    private synchronized void remove(ViewShare share, Subscriber subscriber) {
        share.remove(subscriber);
    }

    /**
     * Tells what a step has changed, by view.
     *
     * @throws MissedStepException where it is neither taken again nor follows the last one; nobody is told anything
     *     then
     */
    public synchronized void publish(long step, Map<String, Batch> changes) {
        views.forEach((name, view) -> {
            if (view.last() >= 0 && step > view.last() + 1) {
                throw new MissedStepException(name, step, view.last());
            }
        });
        views.forEach((name, view) -> view.publish(
                step,
                changes.get(name),
                retainedSteps.getOrDefault(name, RETAINED_STEPS_DEFAULT),
                consumedSteps.getOrDefault(name, Long.MAX_VALUE)));
    }

    /** Gives snapshots to those who wait for one. Called between steps. */
    public synchronized void takeSnapshots(long step, Function<String, Batch> rows) {
        views.forEach((name, view) -> view.takeSnapshots(step, () -> rows.apply(name)));
    }

    /** The run is over: nobody is told anything any more. */
    public synchronized void end(String reason) {
        views.values().forEach(view -> view.end(reason));
    }
}
