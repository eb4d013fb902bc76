/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which nodes count as lost, and that nodes are read for nothing else. */
class NodeReaderTest {
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
    private static final String PATH = "/api/v1/nodes/node-7";

    private final ApiStub api = new ApiStub();
    private final NodeReader reader = new NodeReader(api.client);

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aNodeThatIsGoneIsLost() {
        assertThat(lost("2026-01-01T00:58:00Z")).containsExactly("node-7");
    }

    @Test
    void aNodeThatHasNotBeenReadyForLongIsLost() {
        node("Unknown", "2026-01-01T00:54:00Z");
        assertThat(lost("2026-01-01T00:58:00Z")).containsExactly("node-7");
    }

    @Test
    void aNodeThatWasReadyAMomentAgoIsNot() {
        node("Unknown", "2026-01-01T00:59:00Z");
        assertThat(lost("2026-01-01T00:58:00Z")).isEmpty();
    }

    @Test
    void aNodeThatIsReadyIsNot() {
        node("True", "2025-01-01T00:00:00Z");
        assertThat(lost("2026-01-01T00:58:00Z")).isEmpty();
    }

    @Test
    void aNodeThatMayNotBeReadIsNot() {
        api.answer(PATH, 403, ApiStub.status(403, "Forbidden", ""));
        assertThat(lost("2026-01-01T00:58:00Z")).isEmpty();
    }

    @Test
    void noNodeIsReadForAPodThatStillHasTimeToEnd() {
        assertThat(lost("2026-01-01T00:59:30Z")).isEmpty();
        assertThat(api.requests).isEmpty();
    }

    @Test
    void aNodeIsReadOnceInAWhile() {
        Pod pod = pod("2026-01-01T00:58:00Z");
        reader.lost(List.of(pod, pod), NOW);
        reader.lost(List.of(pod), NOW.plusSeconds(20));
        assertThat(api.requests).hasSize(1);
        reader.lost(List.of(pod), NOW.plusSeconds(31));
        assertThat(api.requests).hasSize(2);
    }

    private Set<String> lost(String endsBy) {
        return reader.lost(List.of(pod(endsBy)), NOW);
    }

    private void node(String ready, String since) {
        api.answer(PATH, 200, """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-7"},
                 "status":{"conditions":[
                  {"type":"Ready","status":"%s","lastTransitionTime":"%s"}]}}""".formatted(ready, since));
    }

    private static Pod pod(String endsBy) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("orders-w-1")
                .withDeletionTimestamp(endsBy)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-7")
                .endSpec()
                .build();
    }
}
