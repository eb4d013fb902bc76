/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns who this process is in the election, and the giving back of the lease at an orderly end, so that the next
 * operator need not wait for it to run out. A lease is a hint: what must not happen twice is fenced by the
 * coordinator's epochs and by UIDs.
 */
final class LeaderLease {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

    private final KubernetesClient client;
    private final String namespace;
    private final String identity;

    LeaderLease(KubernetesClient client, String namespace, String podName) {
        this.client = client;
        this.namespace = namespace;
        // A restarted container must not take its own old lease for granted.
        this.identity = podName + "_" + UUID.randomUUID();
    }

    String identity() {
        return identity;
    }

    /** Gives the lease back if this process holds it. */
    void release() {
        try {
            Lease lease = client.leases()
                    .inNamespace(namespace)
                    .withName(Names.FIELD_MANAGER)
                    .get();
            if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
                // With its resourceVersion: if somebody else took it meanwhile, this does nothing.
                client.resource(new LeaseBuilder(lease)
                                .editSpec()
                                .withHolderIdentity("")
                                .withLeaseDurationSeconds(1)
                                .endSpec()
                                .build())
                        .update();
            }
        } catch (KubernetesClientException refused) {
            LOG.warn("the lease was not given back and runs out by itself: {}", refused.getMessage());
        }
    }
}
