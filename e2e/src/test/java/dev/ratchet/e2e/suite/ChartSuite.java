/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import dev.ratchet.e2e.environment.Command;
import dev.ratchet.e2e.environment.KubernetesEnvironment;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The life of the release: upgraded with a newer CRD while a cluster runs, then uninstalled, then installed again. */
@Order(9)
@Isolated
class ChartSuite {

    private static final Path CHART = Path.of("").toAbsolutePath().getParent().resolve("helm/ratchet");
    private static final Pattern TAKE_OVER = Pattern.compile("```sh\n(for name in .*?done)\n```", Pattern.DOTALL);

    private final TestEnvironment environment = TestEnvironment.current();

    @Test
    void helmsOwnTestFindsTheOperatorReady() {
        assumeTrue(environment instanceof KubernetesEnvironment, "the local environment has no Helm release");
        Release tested = Helm.test(KubernetesEnvironment.RELEASE)
                .withNamespace(KubernetesEnvironment.NAMESPACE)
                .withKubeConfig(environment.kubeconfig())
                .withTimeout(180)
                .call();
        assertThat(tested.getStatus()).isEqualTo("deployed");
    }

    @Test
    void anUpgradeBringsNewFieldsAndAnUninstallKeepsTheClusters() throws IOException {
        assumeTrue(environment instanceof KubernetesEnvironment, "the local environment has no Helm release");
        Cluster cluster = Cluster.in(environment, "chart", "steady").apply(1).awaitReady(1);
        String pod = cluster.workerPods().get(0).getMetadata().getUid();

        new Helm(newerChart())
                .upgrade()
                .withName(KubernetesEnvironment.RELEASE)
                .withNamespace(KubernetesEnvironment.NAMESPACE)
                .withKubeConfig(environment.kubeconfig())
                .waitReady()
                .withTimeout(180)
                .call();
        cluster.awaitThat("the new field to be served", () -> environment
                .kubectl()
                .run("explain", "computecluster.spec.nextRelease")
                .output()
                .contains("A field of the next release"));
        assertThat(cluster.awaitReady(1).workerPods().get(0).getMetadata().getUid())
                .isEqualTo(pod);

        Helm.uninstall(KubernetesEnvironment.RELEASE)
                .withNamespace(KubernetesEnvironment.NAMESPACE)
                .withKubeConfig(environment.kubeconfig())
                .call();
        assertThat(cluster.resource()).as("resource-policy: keep").isNotNull();
        assertThat(cluster.workerPods()).hasSize(1);

        takeOverDefinitionsOfAnotherRelease((KubernetesEnvironment) environment);
        cluster.patchReplicas(2);
        cluster.awaitReady(2);
        cluster.close();
    }

    /** Helm refuses definitions that another release has; with the commands of the chart's README it takes them. */
    private static void takeOverDefinitionsOfAnotherRelease(KubernetesEnvironment environment) throws IOException {
        String readme = Files.readString(CHART.resolve("README.md"));
        Matcher commands = TAKE_OVER.matcher(readme);
        assertThat(commands.find())
                .as("commands that take definitions over, in %s", readme)
                .isTrue();
        ofRelease(environment, commands.group(1), "another");
        assertThatThrownBy(environment::install).hasMessageContaining("invalid ownership metadata");
        ofRelease(environment, commands.group(1), KubernetesEnvironment.RELEASE);
        environment.install();
    }

    private static void ofRelease(KubernetesEnvironment environment, String commands, String release) {
        String marked = commands.replace(
                "meta.helm.sh/release-name=" + KubernetesEnvironment.RELEASE, "meta.helm.sh/release-name=" + release);
        Command.run(Map.of("KUBECONFIG", environment.kubeconfig().toString()), "", List.of("sh", "-ec", marked))
                .succeeded();
    }

    /** This checkout's chart with one more field in the cluster's schema. */
    private static Path newerChart() throws IOException {
        Path copy = Files.createTempDirectory("chart").resolve("ratchet");
        Files.walkFileTree(CHART, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = copy.resolve(CHART.relativize(file));
                Files.createDirectories(target.getParent());
                String text = Files.readString(file);
                Files.writeString(target, file.toString().contains("computeclusters") ? withNewField(text) : text);
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }

    private static String withNewField(String crd) {
        return crd.replaceFirst(
                "(?m)^( +)paused:\\s*$",
                "$1nextRelease:\n$1  description: A field of the next release.\n$1  type: string\n$1paused:");
    }
}
