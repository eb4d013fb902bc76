/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.LocalEnvironment;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two builds beside each other: this one and the next release, whose formats are of one level more. Run by
 * {@code e2e/run releases}, which makes the other build.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NextReleaseUpgrade {

    private static final int WORKERS = 2;
    private static final Path THIS = Path.of("").toAbsolutePath().getParent().resolve("tools/local/target/ratchet");
    private static final Path NEXT = Path.of(System.getProperty("ratchet.next", "missing: run e2e/run releases"));
    private static final String NEXT_VERSION = NEXT.getFileName().toString();

    private static final Map<String, String> JAVA = Map.of("RATCHET_JAVA_HOME", System.getProperty("java.home"));

    private final LocalEnvironment environment = (LocalEnvironment) TestEnvironment.current();
    private Cluster rolling;
    private Cluster byHand;
    private Ratchet ratchet;

    @BeforeAll
    void aClusterOfThisRelease() {
        rolling = Cluster.in(environment, "releases", "rolling").apply(WORKERS, """
              upgrade:
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        ratchet = rolling.connect();
        rolling.awaitReady(WORKERS);
        environment.install(NEXT_VERSION, NEXT);
    }

    @AfterAll
    void end() {
        if (ratchet != null) {
            ratchet.close();
        }
        rolling.close();
        if (byHand != null) {
            byHand.close();
        }
    }

    @Test
    @Order(1)
    void aVersionThatIsNewerThanTheOperatorIsNotAccepted() {
        toVersion(rolling, NEXT_VERSION);
        rolling.awaitThat("a refusal", () -> rolling.condition("Accepted").equals("False"));
        assertThat(rolling.conditionField("Accepted", "message")).contains(NEXT_VERSION, Cluster.VERSION);
        toVersion(rolling, Cluster.VERSION);
        rolling.awaitThat(
                "the spec to be accepted", () -> rolling.condition("Accepted").equals("True"));
    }

    @Test
    @Order(2)
    void anOperatorOfTheNextReleaseReplacesNoPod() {
        List<String> before = uids(rolling);
        environment.replaceOperator(NEXT);
        rolling.awaitThat(
                "the operator of the next release",
                () -> environment.operatorLog().contains("operator " + NEXT_VERSION + " "));
        patch(rolling, "{\"spec\":{\"workers\":{\"drainTimeoutMillis\":21000}}}");
        rolling.awaitThat("the next operator to have seen an edit", () -> isObserved(rolling));
        rolling.awaitReady(WORKERS);
        assertThat(uids(rolling)).isEqualTo(before);
        assertThat(formatLevel(rolling)).isEqualTo(1);
    }

    @Test
    @Order(3)
    void anEditOfTheVersionRollsToItsEndNothingIsLostAndTheFormatsAreRaised() throws InterruptedException {
        Job job = Job.start(ratchet, "to-next");
        rolling.awaitThat("the job to run", () -> job.realizedBy("rolling-w-0") > 0);
        toVersion(rolling, NEXT_VERSION);
        awaitVersion(rolling, WORKERS, NEXT_VERSION);
        rolling.awaitThat("the formats to be raised", () -> formatLevel(rolling) == 2);
        long then = job.realizedBy("rolling-w-2") + job.realizedBy("rolling-w-3");
        rolling.awaitThat(
                "results in the new formats",
                () -> job.realizedBy("rolling-w-2") + job.realizedBy("rolling-w-3") > then);
        assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
        assertThat(plugin("check", "-n", rolling.namespace, "--compute-cluster", rolling.name))
                .contains("all agree");
    }

    @Test
    @Order(4)
    void afterTheRaiseThisReleaseCanNotComeBackNorReadTheFiles(@TempDir Path folder) {
        List<String> before = uids(rolling);
        toVersion(rolling, Cluster.VERSION);
        rolling.awaitThat(
                "a refusal", () -> rolling.conditionField("Accepted", "reason").equals("FormatIncompatible"));
        assertThat(rolling.conditionField("Accepted", "message")).contains(Cluster.VERSION);
        assertThat(uids(rolling)).isEqualTo(before);
        toVersion(rolling, NEXT_VERSION);
        rolling.awaitReady(WORKERS);
        String backup = folder.resolve("rolling.backup").toString();
        onStore(NEXT, rolling, "store", "backup", backup).succeeded();
        List<String> restore = List.of(
                THIS.resolve("bin/ratchet").toString(),
                "store",
                "restore",
                backup,
                "--data-dir",
                folder.resolve("data").toString());
        assertThat(Command.run(JAVA, "", restore).output()).contains("has format 2, and this release reads 1");
        assertThat(onStore(THIS, rolling, "store", "fence", "--yes").output())
                .contains("format level 2, recorded by release " + NEXT_VERSION)
                .contains("this release, " + Cluster.VERSION + ", works on levels 1 to 1");
    }

    @Test
    @Order(5)
    void aStoreReadsWhatItWroteAtBothLevels() throws InterruptedException {
        Job job = Job.start(ratchet, "restarted");
        rolling.awaitThat("the job to run", () -> job.realizedBy("rolling-w-2") > 0);
        environment.kill(store(rolling));
        rolling.awaitThat(
                "the store to be back",
                () -> store(rolling)
                                .getStatus()
                                .getContainerStatuses()
                                .getFirst()
                                .getRestartCount()
                        >= 2);
        job.finish();
        rolling.awaitReady(WORKERS);
        assertThat(plugin("check", "-n", rolling.namespace, "--compute-cluster", rolling.name))
                .contains("all agree");
    }

    @Test
    @Order(6)
    void byHandTheWayBackStaysOpenUntilAPersonEndsIt() throws InterruptedException {
        byHand = Cluster.in(environment, "by-hand", "careful").apply(1, """
              upgrade:
                strategy: AllAtOnce
                finalize: Manual
                gates: {stableMillis: 1000, timeoutMillis: 120000}
            """);
        byHand.awaitReady(1);
        try (Ratchet careful = byHand.connect()) {
            Job job = Job.start(careful, "there-and-back");
            for (String version : List.of(NEXT_VERSION, Cluster.VERSION, NEXT_VERSION)) {
                toVersion(byHand, version);
                awaitVersion(byHand, 1, version);
                assertThat(formatLevel(byHand)).isEqualTo(1);
                assertThat(records(THIS, byHand))
                        .as("what the workers of both releases recorded, as this one reads it")
                        .contains("futures/record/")
                        .doesNotContain("unreadable");
            }
            byHand.awaitThat("a person to be waited for", () -> byHand.conditionField("UpgradeBlocked", "reason")
                    .equals("FinalizeAwaited"));
            plugin("upgrade", "finalize", "-n", byHand.namespace, "--compute-cluster", byHand.name);
            byHand.awaitThat("the formats to be raised", () -> formatLevel(byHand) == 2);
            assertThat(job.finish().retried()).as("draining burns no attempt").isZero();
            assertThat(records(THIS, byHand)).contains("unreadable (The value has format 2, this release reads 1 to 1");
            assertThat(records(NEXT, byHand)).contains("futures/record/").doesNotContain("unreadable");
        }
    }

    /** The records of futures as {@code ratchet keys} of a release shows them. */
    private String records(Path release, Cluster cluster) {
        return onStore(release, cluster, "keys", "futures/record").succeeded();
    }

    /** A command of a release on the store itself, with what a worker has for it. */
    private Command onStore(Path release, Cluster cluster, String... words) {
        Path volumes = environment.volumes(cluster.workerPods().getFirst());
        List<String> command =
                new ArrayList<>(List.of(release.resolve("bin/ratchet").toString()));
        command.addAll(List.of(words));
        command.addAll(List.of(
                "--config-dir",
                volumes.resolve("config").toString(),
                "--tls-dir",
                volumes.resolve("tls").toString()));
        return Command.run(JAVA, "", command);
    }

    /** Workers and store of that release, and the walk at its end. */
    private static void awaitVersion(Cluster cluster, int workers, String version) {
        cluster.awaitThat(
                "all of release " + version,
                () -> cluster.workerPods().stream().allMatch(pod -> image(pod).endsWith(":" + version))
                        && image(store(cluster)).endsWith(":" + version)
                        && cluster.number("status", "updatedReplicas") == workers
                        && cluster.condition("LayoutStable").equals("True"));
        cluster.awaitReady(workers);
    }

    private static Pod store(Cluster cluster) {
        return cluster.pods(Map.of("ratchet.dev/cluster", cluster.name, "ratchet.dev/component", "store"))
                .getFirst();
    }

    private static String image(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getImage();
    }

    private static List<String> uids(Cluster cluster) {
        return cluster.pods(Map.of("ratchet.dev/cluster", cluster.name)).stream()
                .map(pod -> pod.getMetadata().getUid())
                .toList();
    }

    private static int formatLevel(Cluster cluster) {
        return cluster.number("status", "store", "formatLevel");
    }

    private static boolean isObserved(Cluster cluster) {
        long generation =
                Objects.requireNonNull(cluster.resource()).getMetadata().getGeneration();
        return cluster.number("status", "observedGeneration") == generation;
    }

    private void toVersion(Cluster cluster, String version) {
        patch(cluster, "{\"spec\":{\"version\":\"" + version + "\"}}");
    }

    private void patch(Cluster cluster, String patch) {
        environment
                .kubectl()
                .run("patch", "computecluster", cluster.name, "-n", cluster.namespace, "--type=merge", "-p", patch)
                .succeeded();
    }

    /** What {@code kubectl ratchet} of the next release prints. */
    private String plugin(String... words) {
        List<String> command = new ArrayList<>(List.of("kubectl", "ratchet"));
        command.addAll(List.of(words));
        Map<String, String> variables = Map.of(
                "KUBECONFIG", environment.kubeconfig().toString(),
                "PATH", NEXT.resolve("bin") + ":" + System.getenv("PATH"),
                "RATCHET_JAVA_HOME", System.getProperty("java.home"));
        return Command.run(variables, "", command).succeeded();
    }
}
