/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The example of a circuit whose program is a class: from the upload of its jar to rows read over HTTP. */
@Order(6)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClassCircuitSuite {

    private static final Path TOP = Path.of("").toAbsolutePath().getParent();
    private static final Path BIN = TOP.resolve("tools/local/target/ratchet/bin");
    private static final Path JAR =
            TOP.resolve("examples/spending/target/ratchet-spending-" + Cluster.VERSION + ".jar");
    private static final String SPENDING = "dev.ratchet.examples.spending.Spending";
    private static final String BIG_SPENDERS = "dev.ratchet.examples.spending.BigSpenders";
    private static final String STORAGE = "    storage: {size: 1Gi}\n";
    private static final int REQUESTS = 60;
    private static final int ROWS = 10;

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster cluster;
    private CircuitFeed feed;
    private String artifact;
    private long pushed;

    @TempDir
    static Path folder;

    @BeforeAll
    void uploadTheJarAndApplyTheCircuit() {
        cluster = Cluster.in(environment, "spending", "spending");
        cluster.apply(3, STORAGE).awaitReady(3);
        artifact = upload(JAR);
        apply(artifact, SPENDING);
        awaitRunning();
        feed = CircuitFeed.of(environment, cluster);
    }

    @AfterAll
    void deleteIt() {
        if (feed != null) {
            feed.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    @Order(1)
    void itsViewIsExactWhileAPodIsDeleted() throws Exception {
        feed.push(
                "till",
                pushed++,
                LongStream.range(0, 3)
                        .mapToObj(id -> "{\"table\":\"customers\",\"insert\":{\"id\":" + id + ",\"name\":\"customer-"
                                + id + "\"}}")
                        .collect(Collectors.joining("\n", "", "\n")));
        push(REQUESTS / 2);
        Pod victim = cluster.workerPods().get(1);
        environment
                .kubectl()
                .run("delete", "pod", victim.getMetadata().getName(), "-n", cluster.namespace, "--wait=false")
                .succeeded();
        push(REQUESTS / 2);
        awaitExact();
        assertThat(feed.get("/v1/views/errors")).isEmpty();
        awaitRunning();
    }

    @Test
    @Order(2)
    void anotherJarOfTheSameGraphGoesOnFromItsState() throws Exception {
        String before = digestOfProgram();
        String edited = upload(edited());
        assertThat(edited).isNotEqualTo(artifact);
        apply(edited, SPENDING);
        cluster.awaitThat(
                "the other jar to run",
                () -> !digestOfProgram().equals(before) && "True".equals(cluster.condition("CircuitRunning")));
        push(1);
        awaitExact();
        artifact = edited;
    }

    @Test
    @Order(3)
    void oneMoreViewAndWhatCanNotBeUsedAreRefusedWithWhatToDoAndTheCircuitGoesOn() throws Exception {
        apply(artifact, BIG_SPENDERS);
        cluster.awaitThat(
                "the other graph to be refused while the circuit runs",
                () -> message().contains("it has [view big_spenders")
                        && "True".equals(cluster.condition("CircuitRunning")));
        apply("sha256:" + "0".repeat(64), SPENDING);
        cluster.awaitThat("the missing jar to be told", () -> message().contains("ratchet circuit upload"));
        apply(artifact, "com.example.Missing");
        cluster.awaitThat("the missing class to be told", () -> message().contains("has no class com.example.Missing"));
        push(1);
        awaitExact();
        apply(artifact, SPENDING);
        awaitRunning();
    }

    private String message() {
        return cluster.conditionField("CircuitRunning", "message");
    }

    private String digestOfProgram() {
        return environment
                .kubectl()
                .run(
                        "get",
                        "computecluster",
                        cluster.name,
                        "-n",
                        cluster.namespace,
                        "-o",
                        "jsonpath={.status.circuit.programDigest}")
                .succeeded();
    }

    private void awaitRunning() {
        cluster.awaitThat("the circuit to run", () -> "True".equals(cluster.condition("CircuitRunning")));
    }

    private void apply(String jar, String className) {
        cluster.apply(3, STORAGE + """
          circuit:
            name: spending
            type: Class
            class: {artifact: "%s", className: %s}
            checkpoint: {intervalMillis: 500}
        """.formatted(jar, className));
    }

    /** What a user types. */
    private String upload(Path jar) {
        Map<String, String> variables = Map.of(
                "KUBECONFIG", environment.kubeconfig().toString(),
                "PATH", BIN + ":" + System.getenv("PATH"),
                "RATCHET_JAVA_HOME", System.getProperty("java.home"),
                "XDG_CONFIG_HOME", folder.toString());
        Command upload = Command.run(
                variables,
                "",
                List.of(
                        "kubectl",
                        "ratchet",
                        "circuit",
                        "upload",
                        jar.toString(),
                        "--class",
                        SPENDING,
                        "-n",
                        cluster.namespace));
        String digest = upload.succeeded().strip();
        assertThat(digest).as("all that is printed").matches("sha256:[0-9a-f]{64}");
        assertThat(upload.complaints()).contains("tables [orders, customers], views [spent]");
        return digest;
    }

    /** The same classes in a jar of another digest. */
    private static Path edited() throws IOException {
        Path copy = Files.copy(JAR, folder.resolve("edited.jar"));
        try (FileSystem jar = FileSystems.newFileSystem(copy)) {
            Files.writeString(jar.getPath("/NOTES"), "The second edition.");
        }
        return copy;
    }

    private void push(int requests) throws InterruptedException {
        for (int request = 0; request < requests; request++) {
            long first = pushed * ROWS;
            feed.push(
                    "till",
                    pushed++,
                    LongStream.range(first, first + ROWS)
                            .mapToObj(id -> "{\"table\":\"orders\",\"insert\":{\"id\":" + id + ",\"customer\":" + id % 3
                                    + ",\"amount\":" + amount(id) + "}}\n")
                            .collect(Collectors.joining()));
        }
    }

    /** Some are not over 0, which the program leaves out. */
    private static long amount(long id) {
        return id % 7 - 2;
    }

    private void awaitExact() {
        String expected = LongStream.range(0, 3)
                .mapToObj(customer -> {
                    long[] amounts = LongStream.range(ROWS, pushed * ROWS)
                            .filter(id -> id % 3 == customer && amount(id) > 0)
                            .map(ClassCircuitSuite::amount)
                            .toArray();
                    return "{\"name\":\"customer-" + customer + "\",\"orders\":" + amounts.length + ",\"total\":"
                            + LongStream.of(amounts).sum() + "}";
                })
                .sorted()
                .collect(Collectors.joining("\n"));
        cluster.awaitThat("the view to be exact", () -> feed.get("/v1/views/spent")
                .lines()
                .sorted()
                .collect(Collectors.joining("\n"))
                .equals(expected));
    }
}
