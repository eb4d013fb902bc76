/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.release.VersionRange;
import org.junit.jupiter.api.Test;

/** Clients of this release and of others greet a worker of team-a/orders. */
class GatewayIdentityTest {

    private static final int NEWEST = VersionRange.GATEWAYS.newest();

    private final GatewayIdentity identity = new GatewayIdentity("team-a", "orders", "0.1.0");

    @Test
    void theHighestProtocolThatBothSpeakIsChosen() {
        assertThat(identity.greet(client(1, NEWEST + 3), "orders-w-0").getProtocol())
                .isEqualTo(NEWEST);
    }

    @Test
    void aClientThatSaysNoRangeIsOfTheFirstRelease() {
        assertThat(identity.greet(client(0, 0), "orders-w-0").getProtocol()).isEqualTo(1);
    }

    @Test
    void aClientThatSharesNoProtocolIsRefusedWithBothRanges() {
        assertThatThrownBy(() -> identity.greet(client(NEWEST + 1, NEWEST + 2), "orders-w-0"))
                .hasMessageContaining("client (release 9.0.0) speaks protocols " + (NEWEST + 1) + " to " + (NEWEST + 2))
                .hasMessageContaining("worker orders-w-0 (release 0.1.0) " + VersionRange.GATEWAYS)
                .hasMessageContaining("upgrade the cluster");
    }

    @Test
    void aClientOfAnotherClusterIsRefused() {
        assertThatThrownBy(() -> identity.greet(
                        client(1, NEWEST).toBuilder().setCluster("invoices").build(), "orders-w-0"))
                .hasMessageContaining("This is a worker of team-a/orders, not of team-a/invoices");
    }

    private static HelloRequest client(int least, int newest) {
        return HelloRequest.newBuilder()
                .setNamespace("team-a")
                .setCluster("orders")
                .setClientVersion("9.0.0")
                .setProtocolLeast(least)
                .setProtocol(newest)
                .build();
    }
}
