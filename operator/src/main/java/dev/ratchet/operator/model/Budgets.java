/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.model;

import dev.ratchet.crds.Labels;
import dev.ratchet.crds.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;

/**
 * Owns the disruption budget of the workers: one may be evicted at a time. An integer {@code minAvailable}, because
 * percentages and {@code maxUnavailable} need a controller with a scale subresource above the pods, and ours have none.
 */
public final class Budgets {
    public static final String POLICY_V1 = "policy/v1";

    private Budgets() {}

    /** The budget for {@code workers} wanted workers. */
    public static HasMetadata of(Target target, int workers) {
        int available = Math.max(0, workers - 1);
        String name = Names.disruptionBudget(target.name());
        if (target.settings().budgetVersion().equals(POLICY_V1)) {
            return new io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder()
                    .withMetadata(target.metadata(name, target.labels()))
                    .withNewSpec()
                    .withNewMinAvailable(available)
                    .withSelector(workers(target))
                    .endSpec()
                    .build();
        }
        return new io.fabric8.kubernetes.api.model.policy.v1beta1.PodDisruptionBudgetBuilder()
                .withMetadata(target.metadata(name, target.labels()))
                .withNewSpec()
                .withNewMinAvailable(available)
                .withSelector(workers(target))
                .endSpec()
                .build();
    }

    private static LabelSelector workers(Target target) {
        return new LabelSelectorBuilder()
                .addToMatchLabels(Labels.CLUSTER, target.name())
                .addToMatchLabels(Labels.COMPONENT, Labels.WORKER)
                .build();
    }
}
