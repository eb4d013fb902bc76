/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import dev.ratchet.e2e.environment.KubernetesEnvironment;
import dev.ratchet.e2e.environment.TestEnvironment;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The life of the release: upgraded with a newer CRD while a cluster runs, then uninstalled, then installed again. */
@Order(9)
class ChartSuite {

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

        ((KubernetesEnvironment) environment).install();
        cluster.patchReplicas(2);
        cluster.awaitReady(2);
        cluster.close();
    }

    /** This checkout's chart with one more field in the cluster's schema. */
    private static Path newerChart() throws IOException {
        Path source = Path.of("").toAbsolutePath().getParent().resolve("helm/ratchet");
        Path copy = Files.createTempDirectory("chart").resolve("ratchet");
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = copy.resolve(source.relativize(file));
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
