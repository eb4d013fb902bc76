/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A resource that can not work is refused by the API server, or gets a condition that says why; in both cases nothing
 * happens to a running cluster. Servers before 1.25 know no rules, so there the operator's condition is all there is.
 */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadResourcesSuite {

    private final TestEnvironment environment = TestEnvironment.current();
    private Cluster running;

    @BeforeAll
    void runACluster() {
        running = Cluster.in(environment, "bad-resources", "steady").apply(1).awaitReady(1);
        if (!environment.enforcesRules()) {
            System.out.println(
                    "left out: that the API server itself refuses what breaks a rule (it is older than 1.25)");
        }
    }

    @AfterAll
    void deleteIt() {
        running.close();
    }

    /** What is wrong, how the good manifest is made so, and what the message must name. */
    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("replicas above the limit", "replicas: 1", "replicas: 1001", "replicas"),
                Arguments.of("negative replicas", "replicas: 1", "replicas: -1", "replicas"),
                Arguments.of("no threads", "threads: 2", "threads: 0", "threads"),
                Arguments.of("unknown store", "type: Embedded", "type: Redis", "type"),
                Arguments.of(
                        "both stores",
                        "    embedded:\n",
                        "    foundationDB: {clusterFile: {secretKeyRef: {name: fdb, key: cluster}}}\n    embedded:\n",
                        "foundationDB"),
                Arguments.of("a quantity that is none", "memory: 256Mi", "memory: lots", "memory"),
                Arguments.of(
                        "a name too long for its pods",
                        "name: other,",
                        "name: a-name-that-is-much-too-long-for-the-pods-it-makes,",
                        "40"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aResourceThatCanNotWorkIsRefused(String what, String good, String bad, String named) {
        Cluster other = Cluster.in(environment, running.namespace, "other");
        String manifest = other.manifest(1, "Delete");
        assertThat(manifest).contains(good);
        Command applied = environment.kubectl().apply(manifest.replace(good, bad));
        if (applied.exitCode() != 0) {
            assertThat(applied.output()).contains(named);
            return;
        }
        assertThat(environment.enforcesRules())
                .as("an API server with rules lets nothing like this through: " + what)
                .isFalse();
        Cluster accepted = Cluster.in(
                environment,
                running.namespace,
                bad.contains("too-long") ? bad.substring(6, bad.length() - 1) : "other");
        accepted.awaitThat("Accepted=False", () -> "False".equals(accepted.condition("Accepted")));
        assertThat(accepted.conditionField("Accepted", "message")).contains(named);
        assertThat(accepted.workerPods()).isEmpty();
        environment
                .kubectl()
                .run("delete", "computecluster", accepted.name, "-n", accepted.namespace, "--timeout=60s")
                .succeeded();
    }

    @Test
    void aBadEditOfARunningClusterChangesNothing() {
        List<String> before = uids();
        edit("{\"spec\":{\"store\":{\"type\":\"FoundationDB\"}}}", "store");
        edit("{\"spec\":{\"circuit\":{\"name\":\"totals\",\"type\":\"SQL\"}}}", "circuit");
        running.awaitReady(1);
        assertThat(uids()).isEqualTo(before);
        environment.kubectl().apply(running.manifest(1, "Delete")).succeeded();
        environment
                .kubectl()
                .run(
                        "patch",
                        "computecluster",
                        "steady",
                        "-n",
                        running.namespace,
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"circuit\":null}}")
                .succeeded();
        running.awaitThat("Accepted again", () -> "True".equals(running.condition("Accepted")));
        assertThat(uids()).isEqualTo(before);
    }

    /** Refused at the door, or accepted by the server and refused by a condition that names the field. */
    private void edit(String patch, String named) {
        Command edited = environment
                .kubectl()
                .run("patch", "computecluster", "steady", "-n", running.namespace, "--type=merge", "-p", patch);
        if (edited.exitCode() != 0) {
            assertThat(edited.output()).contains(named);
        } else {
            running.awaitThat(
                    "Accepted=False",
                    () -> "False".equals(running.condition("Accepted"))
                            && running.conditionField("Accepted", "message").contains(named));
        }
    }

    private List<String> uids() {
        return running.workerPods().stream()
                .map(Pod::getMetadata)
                .map(metadata -> metadata.getName() + "/" + metadata.getUid())
                .toList();
    }
}
