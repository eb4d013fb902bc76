/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.operator.model.PodSettings;
import dev.ratchet.operator.model.Privilege;
import dev.ratchet.protocol.release.Release;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperatorConfigurationTest {
    @Test
    void anEmptyEnvironmentGivesDefaults() {
        OperatorConfiguration configuration = OperatorConfiguration.of(Map.of());
        assertThat(configuration.watchNamespaces()).isEmpty();
        assertThat(configuration.leaderElection()).isTrue();
        assertThat(configuration.httpPort()).isEqualTo(8080);
        assertThat(configuration.workerImage()).isEqualTo("ratchet/worker:" + Release.VERSION);
    }

    @Test
    void namespacesAreAListWithCommas() {
        assertThat(OperatorConfiguration.of(Map.of("RATCHET_WATCH_NAMESPACES", "a, b,,"))
                        .watchNamespaces())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void whatTheAdministratorSaysOfPodsIsRead() {
        assertThat(OperatorConfiguration.of(Map.of()).pods()).isEqualTo(PodSettings.DEFAULT);
        PodSettings pods = OperatorConfiguration.of(Map.of(
                        "RATCHET_PODS_PULL_SECRETS", "b,a",
                        "RATCHET_PODS_FIXED_USER", "false",
                        "RATCHET_PODS_LOG_LEVEL", "DEBUG",
                        "RATCHET_PODS_LOG_FORMAT", "json",
                        "RATCHET_PODS_ALLOW", "HostPath, Root",
                        "RATCHET_MONITORING_PEERS", "[{\"podSelector\":{\"matchLabels\":{\"app\":\"prometheus\"}}}]"))
                .pods();
        assertThat(pods)
                .isEqualTo(new PodSettings(
                        List.of("a", "b"),
                        false,
                        "DEBUG",
                        "json",
                        Set.of(Privilege.HOST_PATH, Privilege.ROOT),
                        List.of(new NetworkPolicyPeerBuilder()
                                .withNewPodSelector()
                                .addToMatchLabels("app", "prometheus")
                                .endPodSelector()
                                .build())));
    }

    @Test
    void aMistakeIsNamedWithItsRemedy() {
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_HTTP_PORT", "eighty")))
                .hasMessage("RATCHET_HTTP_PORT is 'eighty' and must be a number from 0 to 65535");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_LEADER_ELECTION", "yes")))
                .hasMessageContaining("must be true or false");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_CERTIFICATE_DAYS", "0")))
                .hasMessageContaining("from 1 to 3650");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_PODS_ALLOW", "Hostpath")))
                .hasMessage("RATCHET_PODS_ALLOW has 'Hostpath' and may have "
                        + "Privileged, HostNamespaces, HostPath, ServiceAccount, Root");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_MONITORING_PEERS", "everybody")))
                .hasMessageContaining(
                        "RATCHET_MONITORING_PEERS is 'everybody' and must be a list of peers of a NetworkPolicy");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_LOG_FORMAT", "JSON")))
                .hasMessage("RATCHET_LOG_FORMAT is 'JSON' and must be one of json, text");
        assertThatThrownBy(() -> OperatorConfiguration.of(Map.of("RATCHET_PODS_LOG_FORMAT", "xml")))
                .hasMessage("RATCHET_PODS_LOG_FORMAT is 'xml' and must be one of json, text");
    }
}
