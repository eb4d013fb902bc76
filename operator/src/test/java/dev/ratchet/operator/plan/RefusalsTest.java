/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.operator.reconcile.ClusterStatuses;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the API server refuses, by a quota or a webhook, and what goes on all the same. */
class RefusalsTest {
    private final World world = new World();

    @Test
    void aPodThatIsRefusedDoesNotStopTheOthers() {
        refuse("orders-w-1");
        world.scale(3);
        world.settle();
        assertThat(world.workerPods()).containsOnlyKeys("orders-w-0", "orders-w-2");
        world.refuseNothing();
        world.pass(Duration.ofMinutes(1));
        world.settle();
        assertThat(world.workerPods()).hasSize(3);
        assertThat(world.coordinator.layout().seats()).hasSize(3);
    }

    @Test
    void theConditionSaysWhatWasRefusedAndWhy() {
        refuse("orders-w-1");
        world.scale(3);
        world.settle();
        Condition degraded = degraded();
        assertThat(degraded.getStatus()).isEqualTo("True");
        assertThat(degraded.getReason()).isEqualTo("WriteRefused");
        assertThat(degraded.getMessage()).contains("Pod orders-w-1").contains("exceeded quota: small");
        world.refuseNothing();
        world.pass(Duration.ofMinutes(1));
        world.settle();
        assertThat(degraded().getStatus()).isEqualTo("False");
    }

    @Test
    void whatIsRefusedIsTriedAgainWithGrowingDelays() {
        refuse("orders-w-1");
        world.scale(2);
        world.settle();
        world.api.takeWrites();
        for (int second = 0; second < 600; second++) {
            world.reconcile();
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(world.api.takeWrites())
                .allMatch("create Pod orders-w-1"::equals)
                .hasSizeBetween(5, 15);
    }

    @Test
    void theNextAttemptIsPlanned() {
        refuse("orders-w-0");
        world.scale(1);
        world.settle();
        assertThat(world.reconcile().wakeAt()).hasValueSatisfying(at -> assertThat(at)
                .isBeforeOrEqualTo(world.snapshot().now().plusSeconds(60)));
    }

    @Test
    void anotherTemplateIsTriedAtOnce() {
        world.api.refuse(object -> object instanceof Pod pod
                && world.workerPods().isEmpty()
                && pod.getMetadata().getName().endsWith("w-0")
                && "4".equals(threads(pod)));
        world.edit(spec -> spec.workers.threads = 4);
        world.settle();
        assertThat(world.workerPods()).isEmpty();
        world.edit(spec -> spec.workers.threads = 5);
        world.reconcile();
        assertThat(world.workerPods()).hasSize(1);
    }

    @Test
    void noPodIsMadeWithoutTheNetworkPolicyThatProtectsIt() {
        world.api.refuse(object -> object instanceof NetworkPolicy);
        world.scale(2);
        world.settle();
        assertThat(world.pods()).isEmpty();
        assertThat(degraded().getMessage()).contains("NetworkPolicy orders");
    }

    @Test
    void theSecretOfAClientThatIsRefusedKeepsNoWorkerFromStarting() {
        world.edit(spec -> {
            ClientAccessSpec client = new ClientAccessSpec();
            client.name = "batch";
            spec.access.clients.add(client);
        });
        refuse("orders-client-batch");
        world.settle();
        assertThat(world.workerPods()).hasSize(1);
        assertThat(degraded().getMessage()).contains("Secret orders-client-batch");
    }

    private void refuse(String name) {
        world.api.refuse(object -> object.getMetadata().getName().equals(name)
                && (object instanceof Pod || object.getKind().equals("Secret")));
    }

    private static String threads(Pod pod) {
        return pod.getSpec().getContainers().get(0).getEnv().stream()
                .filter(variable -> variable.getName().equals("RATCHET_THREADS"))
                .map(variable -> variable.getValue())
                .findFirst()
                .orElse("");
    }

    private Condition degraded() {
        ReconcilePlan plan = world.reconcile();
        return Conditions.find(ClusterStatuses.of(world.snapshot(), plan).conditions, ConditionType.DEGRADED)
                .orElseThrow();
    }
}
