/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.protocol.security.Identity.Kind;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {

    private static final Identity WORKER = new Identity("team-a", "orders", Kind.WORKER, "orders-w-0");

    @Test
    void anIdentityIsWrittenAndReadAsOneUri() {
        assertThat(WORKER.uri()).isEqualTo("ratchet://team-a/orders/worker/orders-w-0");
        assertThat(Identity.parse(WORKER.uri())).isEqualTo(WORKER);
        assertThat(WORKER.authority()).isEqualTo("orders-w-0.team-a.ratchet");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ratchet://",
                "ratchet://team-a/orders/worker",
                "ratchet://team-a/orders/boss/x",
                "ratchet://team-a/orders/worker/x/y",
                "http://team-a/orders/worker/x",
                "ratchet://team-a/orders/WORKER/x",
                "ratchet://team-a//worker/x",
                "ratchet://Team/orders/worker/x",
                "ratchet://team-a/orders/worker/x%2Fy"
            })
    void whatIsNotAnIdentityIsRefusedWithTheForm(String uri) {
        assertThatThrownBy(() -> Identity.parse(uri)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPolicyClosesUnnamedServicesAndOtherClusters() {
        CallerPolicy policy = new CallerPolicy("team-a", "orders", Map.of("s", Set.of(Kind.WORKER)));
        assertThat(policy.allows("s", WORKER)).isTrue();
        assertThat(policy.allows("t", WORKER)).isFalse();
        assertThat(policy.allows("s", new Identity("team-a", "orders", Kind.CLIENT, "orders-w-0")))
                .isFalse();
        assertThat(policy.allows("s", new Identity("team-b", "orders", Kind.WORKER, "orders-w-0")))
                .isFalse();
        assertThat(policy.allows("s", new Identity("team-a", "bills", Kind.WORKER, "bills-w-0")))
                .isFalse();
    }
}
