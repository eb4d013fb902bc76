/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.ConnectionException;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Clusters of the same name in two namespaces know nothing of each other. */
@Order(4)
class TwoClustersSuite {

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void clustersOfOneNameInTwoNamespacesAreStrangers() throws InterruptedException {
        try (Cluster red = Cluster.in(environment, "team-red", "twin").apply(1);
                Cluster blue = Cluster.in(environment, "team-blue", "twin").apply(1)) {
            red.awaitReady(1);
            blue.awaitReady(1);
            try (Ratchet toRed = red.connect();
                    Ratchet toBlue = blue.connect()) {
                assertThat(toRed.submit(Tasks.constant("red")).get(Cluster.TIMEOUT))
                        .isEqualTo("red");
                assertThat(toBlue.submit(Tasks.constant("blue")).get(Cluster.TIMEOUT))
                        .isEqualTo("blue");
                assertThat(toRed.summary("default").total()).isEqualTo(1);
                assertThat(toBlue.summary("default").total()).isEqualTo(1);
            }
            ConnectionOptions crossed = ConnectionOptions.ofDocument(red.connection())
                    .withEndpoint(blue.clientEndpoint())
                    .withConnectTimeout(Duration.ofSeconds(5));
            assertThatThrownBy(() -> {
                        try (Ratchet stranger = Ratchet.connect(crossed)) {
                            stranger.submit(Tasks.constant(1)).get(Duration.ofSeconds(5));
                        }
                    })
                    .as("the certificate of one cluster opens nothing of the other")
                    .isInstanceOf(ConnectionException.class);
        }
    }
}
