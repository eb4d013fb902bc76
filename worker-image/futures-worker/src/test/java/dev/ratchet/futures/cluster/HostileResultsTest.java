/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SubmitOptions;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Results that are made to harm whoever reads them end as failures of their futures, and the client goes on. */
@OnCluster(threads = {2})
class HostileResultsTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final SubmitOptions JOB = SubmitOptions.ofJob("hostile").withMaxRetries(0);

    private final Ratchet ratchet;
    private final TestCluster cluster;

    HostileResultsTest(Ratchet ratchet, TestCluster cluster) {
        this.ratchet = ratchet;
        this.cluster = cluster;
    }

    record Order(int number, Map<String, List<LocalDate>> dates) implements Serializable {}

    @Test
    void usualValuesOfTheProgramAreRead() throws Exception {
        Order order = new Order(7, new TreeMap<>(Map.of("a", List.of(LocalDate.of(2026, 1, 1)))));
        Map<String, Map<String, List<Order>>> nested =
                new HashMap<>(Map.of("x", new LinkedHashMap<>(Map.of("y", new ArrayList<>(List.of(order))))));

        assertThat(ratchet.submit(JOB, () -> order).get(LIMIT)).isEqualTo(order);
        assertThat(ratchet.submit(JOB, () -> nested).get(LIMIT)).isEqualTo(nested);
        assertThat(ratchet.submit(JOB, () -> new Order[][] {{order}}).get(LIMIT))
                .hasDimensions(1, 1);
        assertThat(ratchet.submit(JOB, () -> Set.of(URI.create("http://a"))).get(LIMIT))
                .hasSize(1);
        assertThat(ratchet.submit(JOB, () -> new IllegalStateException("told")).get(LIMIT))
                .hasMessage("told");
        assertThat(ratchet.submit(JOB, () -> (SerializableCallable<Integer>) () -> 5)
                        .get(LIMIT)
                        .call())
                .isEqualTo(5);
        assertThat(ratchet.submit(JOB, () -> new HashMap<Integer, byte[]>()).get(LIMIT))
                .isEmpty();
    }

    @Test
    void objectsInObjectsWithoutEndAreRefused() throws Exception {
        DurableFuture<Object> deep = ratchet.submit(JOB, () -> {
            Object[] nested = {};
            for (int level = 0; level < 3_000; level++) {
                nested = new Object[] {nested};
            }
            return nested;
        });

        assertThatThrownBy(() -> deep.get(LIMIT)).isInstanceOf(RatchetException.class);
        assertStillWorks();
    }

    @Test
    void aClassThatTheProgramDoesNotSendIsRefusedByName() throws Exception {
        DurableFuture<Object> url =
                ratchet.submit(JOB, () -> URI.create("http://127.0.0.1/").toURL());
        assertRefused(url, "it holds a java.net.URL, a class that is neither");

        DurableFuture<Order> order = ratchet.submit(JOB, () -> new Order(1, new HashMap<>()));
        assertThat(order.get(LIMIT).number()).isEqualTo(1);
        Ratchet stranger = cluster.connect();
        assertThatThrownBy(() -> stranger.<Order>future(order.id()).get(LIMIT))
                .hasMessageContaining(Order.class.getName())
                .hasMessageContaining("withResultClasses");
        Ratchet told = cluster.connectAllowing("dev.ratchet.futures.cluster.*");
        assertThat(told.<Order>future(order.id()).get(LIMIT)).isEqualTo(order.get());
    }

    private void assertRefused(DurableFuture<?> bomb, String reason) throws Exception {
        assertThatThrownBy(() -> bomb.get(LIMIT))
                .isInstanceOf(RatchetException.class)
                .hasMessageContaining("The value of " + bomb.id() + " can not be read here")
                .hasMessageContaining(reason);
        assertStillWorks();
    }

    private void assertStillWorks() throws Exception {
        assertThat(ratchet.submit(JOB, () -> 42).get(LIMIT)).isEqualTo(42);
    }
}
