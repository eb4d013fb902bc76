/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.circuit;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.StoredAt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The rows of all views behind the last step that was published, for threads that are none of the circuit's. All views
 * of it are of one step. Files that they lie in are open, so that a later commit may delete them.
 */
final class PublishedViews {

    private final Plan plan;
    private final WorkerThread[] workerThreads;
    private volatile Map<String, ViewRows> published = Map.of();

    PublishedViews(Plan plan, WorkerThread[] workerThreads) {
        this.plan = plan;
        this.workerThreads = workerThreads;
    }

    /** Shows the views as they are. Called between steps. */
    void publish(long step) {
        Map<String, ViewRows> before = published;
        Map<String, ViewRows> views = new HashMap<>();
        plan.views().values().forEach(view -> views.put(view.name(), rows(view, step, before)));
        views.put(StepErrors.VIEW, rows(plan.errors(), step, before));
        published = views;
    }

    private ViewRows rows(Plan.View view, long step, Map<String, ViewRows> before) {
        List<Sink> sinks = new ArrayList<>();
        for (WorkerThread workerThread : workerThreads) {
            sinks.add((Sink) workerThread.operatorOf(view.sink()));
        }
        ViewRows last = before.get(view.name());
        if (last != null && sinks.stream().noneMatch(Sink::isChanged)) {
            return last.at(step);
        }
        List<Batch> batches = new ArrayList<>();
        sinks.forEach(sink -> batches.addAll(sink.takeRows()));
        for (Batch batch : batches) {
            StoredAt place = batch.storedAt();
            if (place != null) {
                place.file().open();
            }
        }
        return new ViewRows(step, view.schema(), sinks.get(0).places(), List.copyOf(batches));
    }

    /** Of the last step that was published. */
    ViewRows of(Plan.View view) {
        return Objects.requireNonNull(published.get(view.name()), "publish() comes first");
    }
}
