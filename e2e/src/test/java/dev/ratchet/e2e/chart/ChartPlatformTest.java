/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.e2e.chart.Chart.Rendered;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicySpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What platforms want of a chart: their security, their registries, their networks, and an example of each. */
class ChartPlatformTest {
    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Chart.FOLDER.resolve("examples"))) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleInstallsAndSaysWhy(Path example) throws IOException {
        String values = Files.readString(example);
        assertThat(values).startsWith("# ");
        Rendered rendered = Chart.render("1.30.0", values);
        assertThat(rendered.objects()).extracting(HasMetadata::getKind).contains("Deployment", "Role");
        for (UnknownFields models : List.of(UnknownFields.oldest(), UnknownFields.newest())) {
            assertThat(rendered.documents().stream().flatMap(document -> models.of(document).stream()))
                    .isEmpty();
        }
    }

    @Test
    void theChartLeadsToTheHomeAndTheSourcesOfTheProject() throws IOException {
        Map<?, ?> chart = Serialization.unmarshal(Files.readString(Chart.FOLDER.resolve("Chart.yaml")), Map.class);
        String project = Files.readString(Chart.FOLDER.resolve("../../pom.xml"));
        assertThat(project).contains("\n  <url>" + chart.get("home") + "</url>");
        assertThat((List<?>) chart.get("sources")).singleElement().satisfies(address -> assertThat(project)
                .contains("\n    <url>" + address + "</url>\n  </scm>"));
    }

    @Test
    void thereIsAnExampleForEachPlatform() throws IOException {
        assertThat(examples())
                .extracting(example -> example.getFileName().toString())
                .containsExactly("aks.yaml", "eks.yaml", "gke.yaml", "k3s.yaml", "kind.yaml", "openshift.yaml");
    }

    /** The SCC restricted-v2 refuses a user or group outside of the range of the namespace. */
    @Test
    void withoutAFixedUserNoPodNamesAUserOrAGroup() {
        String values = "{fixedUser: false}";
        PodSpec operator = operator(Chart.render("1.30.0", values));
        PodSpec test = Chart.renderTests("1.30.0", values).only(Pod.class).getSpec();
        assertThat(List.of(operator, test)).allSatisfy(pod -> {
            assertThat(pod.getSecurityContext().getRunAsUser()).isNull();
            assertThat(pod.getSecurityContext().getRunAsGroup()).isNull();
            assertThat(pod.getSecurityContext().getFsGroup()).isNull();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        });
        assertThat(variables(operator)).containsEntry("RATCHET_PODS_FIXED_USER", "false");
    }

    @Test
    void securityContextsAreMergedWithOurs() {
        PodSpec operator = operator(Chart.render(
                "1.30.0",
                "{podSecurityContext: {runAsUser: 1000, fsGroup: null}, securityContext: {runAsNonRoot: true}}"));
        assertThat(operator.getSecurityContext().getRunAsUser()).isEqualTo(1000);
        assertThat(operator.getSecurityContext().getFsGroup()).isNull();
        assertThat(operator.getSecurityContext().getRunAsNonRoot()).isTrue();
        Container container = operator.getContainers().getFirst();
        assertThat(container.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    }

    @Test
    void pullSecretsReachTheOperatorAndItsPods() {
        PodSpec operator = operator(Chart.render(
                "1.30.0",
                "{global: {imagePullSecrets: [{name: all}]}, imagePullSecrets: [{name: mine}],"
                        + " workers: {imagePullSecrets: [{name: theirs}, {name: all}]}}"));
        assertThat(operator.getImagePullSecrets())
                .extracting(LocalObjectReference::getName)
                .containsExactly("all", "mine");
        assertThat(variables(operator)).containsEntry("RATCHET_PODS_PULL_SECRETS", "all,theirs");
    }

    @Test
    void theLogOfTheOperatorAndOfWorkersFollowsTheValues() {
        assertThat(variables(operator(Chart.render("1.30.0", "{}"))))
                .containsEntry("RATCHET_LOG_LEVEL", "INFO")
                .containsEntry("RATCHET_LOG_FORMAT", "text")
                .containsEntry("RATCHET_PODS_LOG_LEVEL", "")
                .containsEntry("RATCHET_PODS_LOG_FORMAT", "");
        assertThat(variables(operator(
                        Chart.render("1.30.0", "{log: {format: json, operatorLevel: DEBUG, workerLevel: WARN}}"))))
                .containsEntry("RATCHET_LOG_LEVEL", "DEBUG")
                .containsEntry("RATCHET_LOG_FORMAT", "json")
                .containsEntry("RATCHET_PODS_LOG_LEVEL", "WARN")
                .containsEntry("RATCHET_PODS_LOG_FORMAT", "json");
    }

    @Test
    void whatPodTemplatesMayAskForIsToldToTheOperator() {
        assertThat(variables(operator(Chart.render("1.30.0", "{}")))).containsEntry("RATCHET_PODS_ALLOW", "");
        assertThat(variables(operator(Chart.render("1.30.0", "{podTemplates: {allow: [HostPath, Root]}}"))))
                .containsEntry("RATCHET_PODS_ALLOW", "HostPath,Root");
    }

    @Test
    void extraVolumesAreMountedBesideOurs() {
        PodSpec operator = operator(Chart.render(
                "1.30.0",
                "{extraVolumes: [{name: ca, configMap: {name: ca}}],"
                        + " extraVolumeMounts: [{name: ca, mountPath: /etc/ca}],"
                        + " envFrom: [{configMapRef: {name: proxy}}]}"));
        assertThat(operator.getVolumes()).extracting(volume -> volume.getName()).containsExactly("temp", "ca");
        Container container = operator.getContainers().getFirst();
        assertThat(container.getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .containsExactly("/tmp", "/etc/ca");
        assertThat(container.getEnvFrom()).hasSize(1);
    }

    @Test
    void theOperatorMayReachAnythingUnlessEgressIsClosed() {
        assertThat(policy("{}").getPolicyTypes()).containsExactly("Ingress");
        NetworkPolicySpec closed =
                policy("{networkPolicy: {egress: {enabled: true, apiServer: [{ipBlock: {cidr: 10.0.0.1/32}}],"
                        + " rules: [{ports: [{port: 3128}]}]}}}");
        assertThat(closed.getPolicyTypes()).containsExactly("Ingress", "Egress");
        assertThat(closed.getEgress())
                .extracting(rule -> rule.getPorts().getFirst().getPort().getIntVal())
                .containsExactly(53, 443, 7400, 3128);
        assertThat(closed.getEgress().get(1).getTo().getFirst().getIpBlock().getCidr())
                .isEqualTo("10.0.0.1/32");
        assertThat(closed.getEgress().get(2).getTo().getFirst().getPodSelector().getMatchLabels())
                .containsEntry("app.kubernetes.io/name", "ratchet");
    }

    @Test
    void onlyMonitoringReachesHealthAndMetricsOnceItIsNamed() {
        assertThat(policy("{}").getIngress().getFirst().getFrom()).isEmpty();
        String values = "{networkPolicy: {monitoring: [{namespaceSelector: {matchLabels: {team: monitoring}}}]}}";
        assertThat(policy(values).getIngress()).singleElement().satisfies(rule -> assertThat(rule.getFrom())
                .singleElement()
                .satisfies(peer ->
                        assertThat(peer.getNamespaceSelector().getMatchLabels()).containsEntry("team", "monitoring")));
        assertThat(operator(Chart.render("1.30.0", values))
                        .getContainers()
                        .getFirst()
                        .getEnv())
                .anySatisfy(variable -> {
                    assertThat(variable.getName()).isEqualTo("RATCHET_MONITORING_PEERS");
                    assertThat(variable.getValue())
                            .isEqualTo("[{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"monitoring\"}}}]");
                });
    }

    @Test
    void moreMayBeLetInToTheOperator() {
        assertThat(policy("{networkPolicy: {ingress: [{ports: [{port: 9999}]}]}}")
                        .getIngress())
                .extracting(rule -> rule.getPorts().getFirst().getPort().getIntVal())
                .containsExactly(8080, 9999);
    }

    private static NetworkPolicySpec policy(String values) {
        return Chart.render("1.30.0", values).only(NetworkPolicy.class).getSpec();
    }

    private static PodSpec operator(Rendered rendered) {
        return rendered.only(Deployment.class).getSpec().getTemplate().getSpec();
    }

    private static Map<String, String> variables(PodSpec operator) {
        return operator.getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getValueFrom() == null)
                .collect(Collectors.toMap(
                        EnvVar::getName, variable -> variable.getValue() == null ? "" : variable.getValue()));
    }
}
