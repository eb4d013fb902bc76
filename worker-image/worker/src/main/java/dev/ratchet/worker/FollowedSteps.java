/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.OrderedRows;
import dev.ratchet.circuits.sql.Relation;
import dev.ratchet.dataflow.query.StepSink;
import dev.ratchet.feeds.RowObjects;
import dev.ratchet.futures.gateway.ViewFollower;

/** Hands the steps of a view to the gateway of futures, each with the input that it stands for. */
final class FollowedSteps implements StepSink {

    private final Relation view;
    private final RowObjects objects;
    private final ViewFollower follower;

    FollowedSteps(Relation view, ViewFollower follower) {
        this.view = view;
        this.objects = new RowObjects(view);
        this.follower = follower;
    }

    @Override
    public void beginSnapshot(long step) {
        follower.beginSnapshot();
    }

    @Override
    public void rows(long step, Batch rows) {
        OrderedRows.visit(rows, view.key(), (row, weight) -> follower.row(objects.read(row), weight));
    }

    @Override
    public void complete(long step, String position) {
        follower.complete(step, position);
    }

    /** Connections are tested by pings. */
    @Override
    public void nothing() {}
}
