/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.LocalEnvironment;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A circuit on three workers with volumes: rows are in its views exactly once, also while a pod is deleted. */
@Order(6)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CircuitSuite {

    private static final String CIRCUIT = """
            storage: {size: 1Gi}
            podTemplate:
              spec:
                volumes: [{name: files, persistentVolumeClaim: {claimName: sales-files}}]
                containers: [{name: worker, volumeMounts: [{name: files, mountPath: /tmp/ratchet-e2e-sales}]}]
          circuit:
            name: sales
            type: SQL
            sql: {configMapKeyRef: {name: sales-program, key: program.sql}}
            checkpoint: {intervalMillis: 500}
            outputs: [{name: sold, view: spent, type: Files, files: {folder: /tmp/ratchet-e2e-sales}}]
        """;
    private static final String TABLES =
            "CREATE TABLE orders (id BIGINT PRIMARY KEY, customer INT NOT NULL, amount INT NOT NULL);"
                    + " CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR);";
    private static final String VIEW = " CREATE VIEW spent AS SELECT c.name, COUNT(*) AS orders, SUM(o.amount) AS total"
            + " FROM orders o JOIN customers c ON o.customer = c.id GROUP BY c.name;";

    /** Without Kubernetes nothing is mounted, and it is a folder of this computer. */
    private static final String FOLDER = "/tmp/ratchet-e2e-sales";

    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: sales-files, namespace: circuit}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 100Mi}}}
            """;
    private static final Pattern LINE = Pattern.compile("\\{\"step\":([0-9]+),\"weight\":(-?[0-9]+),\"row\":(.*)}");

    private static final int CUSTOMERS = 10;
    private static final int REQUESTS = 200;
    private static final int ROWS = 50;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private CircuitFeed feed;

    @BeforeAll
    void applyACircuit() {
        cluster = Cluster.in(environment, "circuit", "sales");
        program(TABLES + VIEW);
        environment.kubectl().apply(CLAIM).succeeded();
        cluster.apply(3, CIRCUIT).awaitReady(3);
        inWorker("mkdir -p " + FOLDER + " && rm -f " + FOLDER + "/sold-* " + FOLDER + "/.sold-*");
        awaitRunning();
        feed = CircuitFeed.of(environment, cluster);
    }

    @AfterAll
    void deleteIt() {
        if (feed != null) {
            feed.close();
            inWorker("rm -rf " + FOLDER + "/*");
        }
        cluster.close();
    }

    @Test
    @Order(1)
    void aPodThatIsDeletedUnderLoadLosesNothingAndNothingIsThereTwice() throws Exception {
        CountDownLatch some = new CountDownLatch(REQUESTS / 4);
        CountDownLatch more = new CountDownLatch(REQUESTS / 2);
        CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> produce(some, more));
        awaitAnswers("a quarter", some, producer);
        String writer = cluster.awaitCoordinator().getMetadata().getName();
        Pod victim = cluster.workerPods().stream()
                .filter(pod -> !pod.getMetadata().getName().equals(writer))
                .findFirst()
                .orElseThrow();
        environment
                .kubectl()
                .run("delete", "pod", victim.getMetadata().getName(), "-n", cluster.namespace, "--wait=false")
                .succeeded();
        awaitAnswers("half", more, producer);
        environment.kill(cluster.awaitCoordinator());
        producer.get(Cluster.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        cluster.awaitThat(
                "another pod in place of the deleted one",
                () -> cluster.workerPods().size() == 3
                        && cluster.workerPods().stream().noneMatch(pod -> pod.getMetadata()
                                .getUid()
                                .equals(victim.getMetadata().getUid())));
        awaitRunning();
        cluster.awaitThat("all rows to be in the view", () -> sorted(feed.get("/v1/views/spent"))
                .equals(expected()));
        assertThat(feed.get("/v1/views/errors")).isEmpty();
        System.out.printf(
                "figure: %d requests of %d rows while a pod was deleted, %d sent again (%s)%n",
                REQUESTS, ROWS, feed.repeated(), environment.name());
    }

    /** Fails with what has ended the producer, if something has. */
    private void awaitAnswers(String share, CountDownLatch answered, CompletableFuture<Void> producer) {
        cluster.awaitThat(
                share + " of the requests to be answered",
                () -> answered.getCount() == 0 || producer.isCompletedExceptionally());
        producer.getNow(null);
    }

    @Test
    @Order(2)
    void theFilesOfTheOutputAddUpToTheViewThoughTheirWriterWasKilled() {
        cluster.awaitThat("the files of all steps", () -> sums(inWorker("cat " + FOLDER + "/sold-*"))
                .equals(expected()));
        List<String> names = inWorker("ls " + FOLDER).lines().toList();
        Set<String> steps = new HashSet<>();
        for (String name : names) {
            String step = name.split("-", -1)[2];
            assertThat(steps.add(step))
                    .as(name + " is the only one of its step")
                    .isTrue();
            assertThat(inWorker("tail -n 1 " + FOLDER + "/" + name).strip())
                    .isEqualTo("{\"step\":" + Long.parseLong(step) + ",\"complete\":true}");
        }
        System.out.printf("figure: %d files of steps (%s)%n", names.size(), environment.name());
    }

    /** The rows that lines of weights add up to. */
    private static String sums(String lines) {
        Map<String, Long> weights = new TreeMap<>();
        lines.lines()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(line -> weights.merge(line.group(3), Long.valueOf(line.group(2)), Long::sum));
        weights.values().removeIf(weight -> weight == 0);
        assertThat(weights.values()).allMatch(weight -> weight == 1);
        return String.join("\n", weights.keySet());
    }

    /** Where no pod has a file system of its own, here. */
    private String inWorker(String command) {
        if (environment instanceof LocalEnvironment) {
            return Command.run(Map.of(), "", List.of("sh", "-c", command)).succeeded();
        }
        return environment
                .kubectl()
                .run("exec", "-n", cluster.namespace, "sales-w-0", "--", "sh", "-c", command)
                .succeeded();
    }

    @Test
    @Order(3)
    void stepAndRowsAreInTheStatusAndInTheTable() {
        cluster.awaitThat(
                "a checkpoint of all steps to be told",
                () -> cluster.number("status", "circuit", "step") > 0
                        && cluster.number("status", "checkpoint", "version") > 0
                        && cluster.number("status", "circuit", "pendingBytes") == 0);
        cluster.awaitThat("the table to have the step of the status", () -> {
            String table = environment
                    .kubectl()
                    .run("get", "rcc", "sales", "-n", cluster.namespace)
                    .succeeded();
            return Stream.of("STEP", "LAG", String.valueOf(cluster.number("status", "circuit", "step")))
                    .allMatch(table::contains);
        });
        assertThat(cluster.condition("StateNotDurable")).isEqualTo("False");
    }

    @Test
    @Order(4)
    void whatWouldMoveStateIsRefusedAndTheCircuitGoesOn() throws Exception {
        environment
                .kubectl()
                .run("scale", "computecluster/sales", "-n", cluster.namespace, "--replicas=4")
                .succeeded();
        cluster.awaitThat("the scaling to be refused", () -> "False".equals(cluster.condition("Accepted")));
        cluster.patchReplicas(3);
        cluster.awaitThat("the spec to be accepted again", () -> "True".equals(cluster.condition("Accepted")));
        program(TABLES + VIEW.replace("COUNT(*)", "MAX(o.id)"));
        cluster.awaitThat(
                "the other program to be refused while the circuit runs",
                () -> cluster.conditionField("CircuitRunning", "message").contains("differs")
                        && "True".equals(cluster.condition("CircuitRunning")));
        assertThat(sorted(feed.get("/v1/views/spent"))).isEqualTo(expected());
    }

    private void awaitRunning() {
        cluster.awaitThat("the circuit to run", () -> "True".equals(cluster.condition("CircuitRunning")));
    }

    private void program(String text) {
        environment.kubectl().apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: sales-program, namespace: circuit}
                data: {program.sql: "%s"}
                """.formatted(text)).succeeded();
    }

    /** Each request adds rows and takes one of the request before back. */
    private void produce(CountDownLatch... answered) {
        try {
            feed.push(
                    "till",
                    0,
                    IntStream.range(0, CUSTOMERS)
                            .mapToObj(id -> "{\"table\":\"customers\",\"insert\":{\"id\":" + id + ",\"name\":\""
                                    + name(id) + "\"}}")
                            .collect(Collectors.joining("\n", "", "\n")));
            for (int request = 1; request <= REQUESTS; request++) {
                long first = (long) request * ROWS;
                String rows = LongStream.range(first, first + ROWS)
                        .mapToObj(id -> change("insert", id))
                        .collect(Collectors.joining());
                feed.push("till", request, request == 1 ? rows : rows + change("delete", first - ROWS));
                List.of(answered).forEach(CountDownLatch::countDown);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String change(String kind, long id) {
        return "{\"table\":\"orders\",\"" + kind + "\":{\"id\":" + id + ",\"customer\":" + customer(id) + ",\"amount\":"
                + amount(id) + "}}\n";
    }

    private static long customer(long id) {
        return id % CUSTOMERS;
    }

    private static long amount(long id) {
        return id % 97;
    }

    private static String name(long customer) {
        return "customer-" + customer;
    }

    private static String expected() {
        long last = (long) REQUESTS * ROWS;
        return IntStream.range(0, CUSTOMERS)
                .mapToObj(customer -> {
                    long[] amounts = LongStream.range(ROWS, last + ROWS)
                            .filter(id -> customer(id) == customer && (id % ROWS != 0 || id == last))
                            .map(CircuitSuite::amount)
                            .toArray();
                    return "{\"name\":\"" + name(customer) + "\",\"orders\":" + amounts.length + ",\"total\":"
                            + LongStream.of(amounts).sum() + "}";
                })
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String sorted(String lines) {
        return lines.lines().sorted().collect(Collectors.joining("\n"));
    }
}
