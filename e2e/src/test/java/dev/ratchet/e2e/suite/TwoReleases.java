/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.LocalEnvironment;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * Builds of two releases that follow each other, in one environment: which of them operators, workers, stores and
 * commands are of. One is this build, the other is made by {@code e2e/run releases}.
 */
final class TwoReleases {

    /** The distribution of this build. */
    static final Path THIS = Path.of("").toAbsolutePath().getParent().resolve("tools/local/target/ratchet");
    /** The distribution of the next release, in a folder that is named by its version. */
    static final Path NEXT = built("next");

    static final String NEXT_VERSION = version(NEXT);

    private static final Path BEFORE = built("before");
    private static final Map<String, String> JAVA = Map.of("RATCHET_JAVA_HOME", System.getProperty("java.home"));

    final LocalEnvironment environment = (LocalEnvironment) TestEnvironment.current();
    private final Path newer;
    final String olderVersion;
    final String newerVersion;

    private TwoReleases(Path older, Path newer) {
        this.newer = newer;
        this.olderVersion = version(older);
        this.newerVersion = version(newer);
        for (Path release : List.of(older, newer)) {
            environment.install(version(release), release);
        }
        replaceOperator(older);
    }

    /** From the release before this one, with its operator at first. */
    static TwoReleases beforeAndThis() {
        return new TwoReleases(BEFORE, THIS);
    }

    /** From this release to the next, with this one's operator at first. */
    static TwoReleases thisAndNext() {
        return new TwoReleases(THIS, NEXT);
    }

    private static Path built(String which) {
        return Path.of(System.getProperty("ratchet." + which, "missing: run e2e/run releases"));
    }

    private static String version(Path release) {
        return release.equals(THIS) ? Cluster.VERSION : release.getFileName().toString();
    }

    /** Replaces the operator of the older release by one of the newer. */
    void replaceOperator() {
        replaceOperator(newer);
    }

    private void replaceOperator(Path release) {
        String started = "operator " + version(release) + " ";
        long before = starts(started);
        environment.replaceOperator(release);
        Awaitility.await("the operator of release " + version(release))
                .atMost(Cluster.TIMEOUT)
                .until(() -> starts(started) > before);
    }

    private long starts(String line) {
        return environment
                .operatorLog()
                .lines()
                .filter(each -> each.contains(line))
                .count();
    }

    void edit(Cluster cluster, String patch) {
        environment
                .kubectl()
                .run("patch", "computecluster", cluster.name, "-n", cluster.namespace, "--type=merge", "-p", patch)
                .succeeded();
    }

    void toVersion(Cluster cluster, String version) {
        edit(cluster, "{\"spec\":{\"version\":\"" + version + "\"}}");
    }

    /** Workers and store of that release, and the walk at its end. */
    static void awaitVersion(Cluster cluster, int workers, String version) {
        cluster.awaitThat(
                "all of release " + version,
                () -> cluster.workerPods().stream().allMatch(pod -> image(pod).endsWith(":" + version))
                        && image(store(cluster)).endsWith(":" + version)
                        && cluster.number("status", "updatedReplicas") == workers
                        && cluster.condition("LayoutStable").equals("True"));
        cluster.awaitReady(workers);
    }

    static int formatLevel(Cluster cluster) {
        return cluster.number("status", "store", "formatLevel");
    }

    /** The level once the status tells one, which comes some time after the cluster is ready. */
    static int toldFormatLevel(Cluster cluster) {
        cluster.awaitThat("the level of formats to be told", () -> formatLevel(cluster) > 0);
        return formatLevel(cluster);
    }

    static Pod store(Cluster cluster) {
        return cluster.pods(Map.of("ratchet.dev/cluster", cluster.name, "ratchet.dev/component", "store"))
                .getFirst();
    }

    static String image(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getImage();
    }

    /** What {@code kubectl ratchet} of the newer release prints. */
    String plugin(Cluster cluster, String... words) {
        List<String> command = new ArrayList<>(List.of("kubectl", "ratchet"));
        command.addAll(List.of(words));
        command.addAll(List.of("-n", cluster.namespace, "--compute-cluster", cluster.name));
        Map<String, String> variables = Map.of(
                "KUBECONFIG", environment.kubeconfig().toString(),
                "PATH", newer.resolve("bin") + ":" + System.getenv("PATH"),
                "RATCHET_JAVA_HOME", System.getProperty("java.home"));
        return Command.run(variables, "", command).succeeded();
    }

    /** {@code ratchet} of a release. */
    static Command ratchet(Path release, String... words) {
        List<String> command =
                new ArrayList<>(List.of(release.resolve("bin/ratchet").toString()));
        command.addAll(List.of(words));
        return Command.run(JAVA, "", command);
    }

    /** {@code ratchet} of a release on the store itself, with what a worker has for it. */
    Command onStore(Path release, Cluster cluster, String... words) {
        Path volumes = environment.volumes(cluster.workerPods().getFirst());
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of(
                "--config-dir",
                volumes.resolve("config").toString(),
                "--tls-dir",
                volumes.resolve("tls").toString()));
        return ratchet(release, command.toArray(String[]::new));
    }

    /** Records of the store that a release can not read, of at least some, as its {@code ratchet keys} shows them. */
    List<String> unreadable(Path release, Cluster cluster) {
        List<String> records = onStore(release, cluster, "keys", "--limit", "1000000")
                .succeeded()
                .lines()
                .toList();
        assertThat(records).as("records of the store").anyMatch(line -> line.startsWith("futures/record/"));
        return records.stream().filter(line -> line.contains("= unreadable (")).toList();
    }
}
