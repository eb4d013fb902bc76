/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import dev.ratchet.operator.model.ClusterConfigs;
import dev.ratchet.operator.model.Services;
import dev.ratchet.operator.model.StorePods;
import dev.ratchet.operator.model.Target;
import dev.ratchet.operator.model.VolumeClaims;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** Owns the embedded store beside the workers, and the configuration that tells everybody where the store is. */
final class StorePlanner {
    private final Snapshot snapshot;
    private final Target target;
    private final CertificatePlanner certificates;
    private final CircuitPlanner circuit;
    private final PlanBuilder plan;

    StorePlanner(
            Snapshot snapshot,
            Target target,
            CertificatePlanner certificates,
            CircuitPlanner circuit,
            PlanBuilder plan) {
        this.snapshot = snapshot;
        this.target = target;
        this.certificates = certificates;
        this.circuit = circuit;
        this.plan = plan;
    }

    void plan() {
        if (target.isEmbedded()) {
            String service = Names.storeService(target.name());
            plan.apply(snapshot.services().get(service), Services.store(target));
        }
        config();
        if (target.isEmbedded()) {
            pod();
        }
    }

    private void config() {
        Optional<String> address = snapshot.serviceAddress(Names.storeService(target.name()));
        String name = Names.config(target.name());
        ClusterConfigs.of(target, address, circuit.member())
                .ifPresent(config -> plan.apply(snapshot.configs().get(name), config));
    }

    private void pod() {
        String name = Names.storePod(target.name());
        boolean certified = certificates.store(name, Labels.store(target.name()));
        VolumeClaims.store(target)
                .filter(claim ->
                        !snapshot.claims().containsKey(claim.getMetadata().getName()))
                .ifPresent(plan::create);
        if (!certified || !snapshot.configs().containsKey(Names.config(target.name()))) {
            return;
        }
        Pod pod = snapshot.pods().get(name);
        if (pod == null) {
            plan.create(MountedVersions.annotated(snapshot, StorePods.pod(target)));
        } else if (PodFacts.isFinished(pod) || isOutdated(pod)) {
            plan.delete(pod);
        } else {
            new StoreImage(snapshot, target).plan(plan);
        }
    }

    /** A store that runs is replaced only when nobody uses it and what it has is on a volume. */
    private boolean isOutdated(Pod pod) {
        boolean idle = snapshot.workers().isEmpty() && StorePods.settings(target.spec()).storage != null;
        return (PodFacts.neverStarted(pod) || idle) && !PodFacts.revision(pod).equals(StorePods.revision(target));
    }
}
