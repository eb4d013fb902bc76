/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Workers with volumes keep values that nobody can compute again, whatever happens to their pods. */
@Order(6)
class VolumeSuite {

    private static final String STORAGE = """
                storage: {size: 1Gi}
            """;
    private static final int VALUES = 8;
    private static final int VALUE_BYTES = 300_000;

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void valuesThatWerePutOutliveEveryPodAndMoveWithTheLayoutThatLeavesTheirWorkerOut() throws InterruptedException {
        try (Cluster cluster = Cluster.in(environment, "volumes", "vault").apply(2, STORAGE)) {
            cluster.awaitReady(2);
            List<byte[]> values = Stream.generate(new Random(7)::nextLong)
                    .limit(VALUES)
                    .map(seed -> {
                        byte[] value = new byte[VALUE_BYTES];
                        new Random(seed).nextBytes(value);
                        return value;
                    })
                    .toList();
            try (Ratchet ratchet = cluster.connect()) {
                List<DurableFuture<byte[]>> futures =
                        values.stream().map(ratchet::put).toList();
                for (DurableFuture<byte[]> future : futures) {
                    future.get(Cluster.TIMEOUT);
                }
                endEveryProcess(cluster, environment::kill);
                assertValues(ratchet, futures, values);
                endEveryProcess(cluster, pod -> environment
                        .kubectl()
                        .run("delete", "pod", pod.getMetadata().getName(), "-n", cluster.namespace)
                        .succeeded());
                assertValues(ratchet, futures, values);
                assertThat(ratchet.transfer(futures.getFirst(), "vault-w-1")).contains("vault-w-1");
                cluster.patchReplicas(1);
                cluster.awaitReady(1);
                cluster.awaitThat(
                        "the newest layout to be complete",
                        () -> newestLayout(cluster).get("status", "step").equals("Stable"));
                assertThat(newestLayout(cluster).<Map<String, Number>>get("status", "bytes"))
                        .as("what the layout moved")
                        .satisfies(bytes -> assertThat(bytes.get("moved").longValue())
                                .isGreaterThanOrEqualTo(VALUE_BYTES)
                                .isEqualTo(bytes.get("lowerBound").longValue()));
                assertValues(ratchet, futures, values);
            }
        }
    }

    private static GenericKubernetesResource newestLayout(Cluster cluster) {
        return cluster.resources("ComputeLayout").stream()
                .max(Comparator.comparing(
                        layout -> layout.<Number>get("spec", "epoch").longValue()))
                .orElseThrow();
    }

    /** Ends the process of each worker so, and waits for the next one of each. */
    private static void endEveryProcess(Cluster cluster, Consumer<Pod> end) {
        Map<String, Long> before = incarnations(cluster);
        cluster.workerPods().forEach(end);
        cluster.awaitThat("the next process of every worker", () -> {
            Map<String, Long> now = incarnations(cluster);
            return now.keySet().equals(before.keySet())
                    && now.entrySet().stream().allMatch(worker -> worker.getValue() > before.get(worker.getKey()));
        });
        cluster.awaitReady(before.size());
    }

    private static Map<String, Long> incarnations(Cluster cluster) {
        return cluster.resources("ComputeWorker").stream()
                .collect(Collectors.toMap(
                        worker -> worker.getMetadata().getName(),
                        worker -> worker.get("status", "incarnation") instanceof Number number
                                ? number.longValue()
                                : 0L));
    }

    private static void assertValues(Ratchet ratchet, List<DurableFuture<byte[]>> futures, List<byte[]> values)
            throws InterruptedException {
        for (int i = 0; i < values.size(); i++) {
            DurableFuture<byte[]> again = ratchet.future(futures.get(i).id());
            assertThat(again.get(Cluster.TIMEOUT)).as("value " + i).isEqualTo(values.get(i));
        }
    }
}
