/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.protocol.security.TransportSecurity;
import java.util.List;
import java.util.Optional;

/**
 * Listens to the coordinators of clusters, and tells them what is wanted, all in the background. No method waits for
 * the network. Safe for use by several threads.
 */
public interface CoordinatorObserver extends AutoCloseable {
    /** The newest report about a cluster, if one came in the last seconds; empty means that nothing is known. */
    Optional<CoordinatorReport> clusterReport(ClusterKey cluster);

    /**
     * Says how the cluster is reached from now on and what is wanted from its coordinator. Repeated in each reconcile;
     * saying the same again costs nothing.
     *
     * @param endpoints workers to ask, any of which may be the coordinator; empty: nobody is there
     */
    void track(ClusterKey cluster, List<Endpoint> endpoints, TransportSecurity security, Commands commands);

    /** Ends the listening. */
    void forget(ClusterKey cluster);

    @Override
    void close();
}
