/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.operator.observe.ClusterKey;
import dev.ratchet.operator.observe.CoordinatorReport;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.util.Set;

/** Owns the way of a coordinator's news into the queue of reconciles. */
public final class CoordinatorEvents extends AbstractEventSource<CoordinatorReport, ComputeCluster> {
    public CoordinatorEvents() {
        super(CoordinatorReport.class, "coordinator");
    }

    /** Queues a reconcile of the cluster. Safe from any thread; does nothing while the operator does not run. */
    public void changed(ClusterKey cluster) {
        if (isRunning()) {
            getEventHandler().handleEvent(new Event(new ResourceID(cluster.name(), cluster.namespace())));
        }
    }

    @Override
    public Set<CoordinatorReport> getSecondaryResources(ComputeCluster primary) {
        return Set.of();
    }
}
