/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.crds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.schema.Patterns;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final int LABEL_LENGTH_MAX = 63;

    @Test
    void everyNameDerivedFromTheLongestClusterNameIsADnsLabel() {
        String cluster = "c".repeat(Names.CLUSTER_NAME_LENGTH_MAX);
        String seat = Names.seat(cluster, Names.POOL, 1_000_000);
        assertThat(List.of(
                        seat,
                        Names.storePod(cluster),
                        Names.storeService(cluster),
                        Names.clientService(cluster),
                        Names.config(cluster),
                        Names.authoritySecret(cluster),
                        Names.podCertificate(seat),
                        Names.defaultClientSecret(cluster),
                        Names.claim(seat),
                        Names.claim(Names.storePod(cluster)),
                        Names.disruptionBudget(cluster),
                        Names.networkPolicy(cluster),
                        Names.revision(cluster, "0123456789abcdef"),
                        Names.layout(cluster, Long.MAX_VALUE)))
                .allSatisfy(name -> assertThat(name)
                        .hasSizeLessThanOrEqualTo(LABEL_LENGTH_MAX)
                        .matches(Patterns.LABEL));
    }

    @Test
    void namesAreThoseOfTheContract() {
        assertThat(Names.seat("orders", "w", 0)).isEqualTo("orders-w-0");
        assertThat(Names.storePod("orders")).isEqualTo("orders-store-0");
        assertThat(Names.claim("orders-w-0")).isEqualTo("data-orders-w-0");
        assertThat(Names.podCertificate("orders-w-0")).isEqualTo("orders-w-0-tls");
        assertThat(Names.clientSecret("orders", "batch")).isEqualTo("orders-client-batch");
        assertThat(Names.layout("orders", 13)).isEqualTo("orders-l13");
        assertThat(Labels.workerSelector("orders"))
                .isEqualTo(
                        "app.kubernetes.io/managed-by=ratchet,ratchet.dev/cluster=orders,ratchet.dev/component=worker");
    }

    @Test
    void theLabelsOfASeatSayWhereItBelongs() {
        assertThat(Labels.seat("orders", "w", "orders-w-1"))
                .containsEntry("app.kubernetes.io/instance", "orders")
                .containsEntry("ratchet.dev/pool", "w")
                .containsEntry("ratchet.dev/seat", "orders-w-1")
                .containsEntry("ratchet.dev/component", "worker");
        assertThat(Labels.store("orders"))
                .containsEntry("ratchet.dev/component", "store")
                .doesNotContainKey("ratchet.dev/seat");
    }

    @Test
    void quantitiesAreThoseOfKubernetes() {
        assertThat(List.of("1", "500m", "16Gi", "1.5", "1e3", "0", "+2k", ".5"))
                .allMatch(text -> text.matches(Patterns.QUANTITY));
        assertThat(List.of("", "-1", "a lot", "16 Gi", "16GiB", "1,5", "Gi"))
                .noneMatch(text -> text.matches(Patterns.QUANTITY));
    }
}
