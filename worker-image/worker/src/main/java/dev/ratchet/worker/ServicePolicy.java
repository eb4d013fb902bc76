/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.futures.FuturesEngine;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.dataflow.v1.SharesGrpc;
import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.worker.v1.WorkerGrpc;
import io.grpc.BindableService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who may call which service of a worker. A service of which nobody has said it can not be served at all. */
final class ServicePolicy {

    private ServicePolicy() {}

    /** The policy for exactly these services. */
    static CallerPolicy of(String namespace, String cluster, List<BindableService> services) {
        Map<String, Set<Kind>> known = new HashMap<>(FuturesEngine.callers());
        known.put(CoordinatorGrpc.SERVICE_NAME, Set.of(Kind.OPERATOR));
        known.put(WorkerGrpc.SERVICE_NAME, Set.of(Kind.WORKER));
        known.put(SharesGrpc.SERVICE_NAME, Set.of(Kind.WORKER));
        for (BindableService service : services) {
            String name = service.bindService().getServiceDescriptor().getName();
            if (!known.containsKey(name)) {
                throw new IllegalStateException("Nobody has said who may call " + name + ": say it in ServicePolicy");
            }
        }
        return new CallerPolicy(namespace, cluster, known);
    }
}
