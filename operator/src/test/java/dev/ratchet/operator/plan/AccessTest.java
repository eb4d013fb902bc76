/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.ClientAccessRole;
import dev.ratchet.crds.cluster.ClientAccessSpec;
import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may reach a cluster, and what for: what workers and networks are told. */
class AccessTest {

    private final World world = new World();

    private String configuration() {
        return world.api
                .all(ConfigMap.class)
                .get(Names.config(World.CLUSTER))
                .getData()
                .get(Names.CONFIG_KEY);
    }

    private static ClientAccessSpec client(String name, ClientAccessRole role) {
        ClientAccessSpec client = new ClientAccessSpec();
        client.name = name;
        client.role = role;
        return client;
    }

    @Test
    void workersAreToldWhatClientsMayDoThatMayNotDoEverything() {
        world.settle();
        assertThat(configuration()).contains("\"clients\":[\"default\"]").doesNotContain("roles");

        world.edit(spec -> spec.access.clients = List.of(
                client("billing", ClientAccessRole.SUBMIT),
                client("graphs", ClientAccessRole.READ),
                client("ops", ClientAccessRole.ADMIN)));
        world.settle();

        assertThat(configuration())
                .contains("\"clients\":[\"billing\",\"default\",\"graphs\",\"ops\"]")
                .contains("\"roles\":{\"billing\":\"Submit\",\"graphs\":\"Read\"}");
    }

    @Test
    void theClientDefaultCanBeSwitchedOff() {
        world.settle();
        assertThat(world.secrets()).containsKey(Names.defaultClientSecret(World.CLUSTER));

        world.edit(spec -> {
            spec.access.defaultClient = false;
            spec.access.clients = List.of(client("ops", ClientAccessRole.ADMIN));
        });
        world.settle();

        assertThat(world.secrets())
                .doesNotContainKey(Names.defaultClientSecret(World.CLUSTER))
                .containsKey(Names.clientSecret(World.CLUSTER, "ops"));
        assertThat(configuration()).contains("\"clients\":[\"ops\"]");
    }

    @Test
    void healthPortsAreForMonitoringOnceItIsNamed() {
        world.settle();
        assertThat(healthRule(world).getFrom()).isEmpty();

        NetworkPolicyPeer prometheus = new NetworkPolicyPeerBuilder()
                .withNewPodSelector()
                .addToMatchLabels("app", "prometheus")
                .endPodSelector()
                .build();
        PodSettings defaults = PodSettings.DEFAULT;
        World named = new World(
                new PodSettings(defaults.pullSecrets(), true, "", "", defaults.allowed(), List.of(prometheus)));
        named.settle();

        assertThat(healthRule(named).getFrom()).containsExactly(prometheus);
    }

    private static NetworkPolicyIngressRule healthRule(World world) {
        NetworkPolicy policy = world.api.all(NetworkPolicy.class).get(Names.networkPolicy(World.CLUSTER));
        return policy.getSpec().getIngress().stream()
                .filter(rule -> rule.getPorts().getFirst().getPort().getIntVal() == 7402)
                .findFirst()
                .orElseThrow();
    }
}
