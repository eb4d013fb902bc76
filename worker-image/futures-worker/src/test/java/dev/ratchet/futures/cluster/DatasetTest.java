/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.client.dataset.Dataset;
import dev.ratchet.client.dataset.Pair;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Datasets give what the same operations on one list give. */
@OnCluster(threads = {2, 2})
class DatasetTest {

    private static final SubmitOptions JOB = SubmitOptions.ofJob("dataset");
    private static final long SEED = System.nanoTime();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Ratchet ratchet;
    private final TestCluster cluster;

    DatasetTest(Ratchet ratchet, TestCluster cluster) {
        this.ratchet = ratchet;
        this.cluster = cluster;
    }

    enum Color {
        RED,
        GREEN,
        BLUE
    }

    record Order(int number, Color color, String customer) implements Serializable {}

    record Customer(String name, int city) implements Serializable {}

    @BeforeAll
    static void tellSeed() {
        System.out.println("seed " + SEED);
    }

    private static List<Order> orders(int count) {
        Random random = new Random(SEED);
        return IntStream.range(0, count)
                .mapToObj(n -> new Order(
                        random.nextInt(1_000), Color.values()[random.nextInt(3)], "customer " + random.nextInt(40)))
                .toList();
    }

    @Test
    void mapFilterAndFlatMapRunTogetherInOneTaskPerPartition() throws Exception {
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        SubmitOptions job = SubmitOptions.ofJob("fused");
        List<String> texts = Dataset.of(ratchet, job, numbers, 7)
                .map(n -> n * 3)
                .filter(n -> n % 2 == 0)
                .flatMap(n -> List.of("a" + n, "b" + n))
                .collect();

        assertThat(texts)
                .containsExactlyElementsOf(numbers.stream()
                        .map(n -> n * 3)
                        .filter(n -> n % 2 == 0)
                        .flatMap(n -> Stream.of("a" + n, "b" + n))
                        .toList());
        assertThat(ratchet.summary("fused").total()).isEqualTo(14);
    }

    @Test
    void repartitioningKeepsTheElementsAndBalancesThem() throws Exception {
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        Dataset<Integer> five = Dataset.of(ratchet, JOB, numbers, 2).repartition(5);

        assertThat(five.partitions()).isEqualTo(5);
        assertThat(five.collect()).containsExactlyInAnyOrderElementsOf(numbers);
        assertThat(ratchet.awaitAll(five.futures()))
                .allSatisfy(part -> assertThat(part).hasSizeBetween(195, 205));
        assertThat(five.repartition(1).count()).isEqualTo(1_000);
    }

    @Test
    void repartitioningMovesEachElementFromWorkerToWorkerOnceAtMost() throws Exception {
        SubmitOptions job = SubmitOptions.ofJob("moved");
        List<byte[]> elements =
                IntStream.range(0, 400).mapToObj(n -> new byte[4_000]).toList();
        Dataset<byte[]> before = Dataset.of(ratchet, job, elements, 4);
        ratchet.await(before.futures(), 4, LIMIT);
        double fetched = cluster.figure("objects_fetched_bytes_total");

        Dataset<byte[]> after = before.repartition(12);
        ratchet.await(after.futures(), 12, LIMIT);

        assertThat(cluster.figure("objects_fetched_bytes_total") - fetched).isLessThan(1.1 * 400 * 4_000);
        assertThat(ratchet.summary("moved").total())
                .as("tasks: sources, splits, parts, partitions")
                .isEqualTo(4 + 4 + 4 * 12 + 12);
        assertThat(after.count()).isEqualTo(400);
    }

    @Test
    void groupsHoldAllElementsOfAKeyAndEachKeyOnce() throws Exception {
        List<Order> orders = orders(500);
        Map<Color, List<Order>> expected = orders.stream().collect(Collectors.groupingBy(Order::color));

        Map<Color, List<Order>> groups = new java.util.HashMap<>();
        Dataset.of(ratchet, JOB, orders, 4).groupBy(Order::color).collect().forEach(group -> assertThat(
                        groups.put(group.key(), group.elements()))
                .isNull());

        assertThat(groups.keySet()).isEqualTo(expected.keySet());
        expected.forEach((color, all) -> assertThat(groups.get(color)).containsExactlyInAnyOrderElementsOf(all));
    }

    @Test
    void aJoinGivesAllPairsWithEqualKeys() throws Exception {
        List<Order> orders = orders(300);
        List<Customer> customers = IntStream.range(0, 60)
                .mapToObj(n -> new Customer("customer " + (n % 50), n))
                .toList();
        List<Pair<Order, Customer>> expected = new ArrayList<>();
        orders.forEach(order -> customers.stream()
                .filter(customer -> customer.name().equals(order.customer()))
                .forEach(customer -> expected.add(new Pair<>(order, customer))));

        assertThat(Dataset.of(ratchet, JOB, orders, 3)
                        .join(Dataset.of(ratchet, JOB, customers, 2), Order::customer, Customer::name)
                        .collect())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void sortingOrdersWithinAndAcrossPartitions() throws Exception {
        List<Order> orders = orders(1_000);
        Dataset<Order> sorted = Dataset.of(ratchet, JOB, orders, 5).sortBy(Order::number);

        assertThat(sorted.collect())
                .isSortedAccordingTo(Comparator.comparingInt(Order::number))
                .containsExactlyInAnyOrderElementsOf(orders);
        assertThat(ratchet.awaitAll(sorted.futures()))
                .allSatisfy(part -> assertThat(part).hasSizeLessThan(400));
    }

    @Test
    void anEmptyDatasetHasNothingToSortOrToGroup() throws Exception {
        Dataset<Order> none = Dataset.of(ratchet, JOB, List.of(), 3);

        assertThat(none.sortBy(Order::number).count()).isZero();
        assertThat(none.groupBy(Order::color).collect()).isEmpty();
    }

    @Test
    void aTaskMayWorkOnADataset() throws Exception {
        long count = ratchet.submit(
                        () -> Dataset.of(Ratchet.current(), Ratchet.current().defaultOptions(), List.of(1, 2, 3, 4), 2)
                                .repartition(3)
                                .count())
                .get();

        assertThat(count).isEqualTo(4);
    }

    @Test
    void aKeyThatHashesDifferentlyElsewhereIsRefused() {
        Dataset<int[]> arrays = Dataset.of(ratchet, JOB.withMaxRetries(0), List.of(new int[] {1}), 1);

        assertThatThrownBy(() -> arrays.groupBy(array -> array).collect())
                .hasMessageContaining("A key may not be a [I");
        assertThatThrownBy(() -> Dataset.of(ratchet, JOB, List.of(1), 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1 to 1000 partitions");
    }
}
