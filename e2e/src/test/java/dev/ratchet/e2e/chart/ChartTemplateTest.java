/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ratchet.e2e.chart.Chart.Rendered;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTemplateTest {
    private static final UnknownFields OLDEST = UnknownFields.oldest();
    private static final UnknownFields NEWEST = UnknownFields.newest();

    /** Each switches something on or off that the default has the other way round. */
    static final List<String> VALUES = List.of(
            "{}",
            "{replicas: 1}",
            "{replicas: 0, podDisruptionBudget: {enabled: false}}",
            "{nameOverride: other, fullnameOverride: quite-another}",
            "{image: {repository: example.org/operator, tag: '9', pullPolicy: Always}, imagePullSecrets: "
                    + "[{name: pull}]}",
            "{workerImage: {digest: 'sha256:" + "a".repeat(64) + "'}}",
            "{crds: {enabled: false}}",
            "{watch: {namespaces: [team-a]}}",
            "{watch: {allNamespaces: true}}",
            "{watch: {namespaces: [team-a, team-b]}, certificates: {certManager: true, days: 30}}",
            "{networkPolicy: {enabled: false, clusters: false}}",
            "{rbac: {create: false}, serviceAccount: {create: false, name: mine}}",
            "{rbac: {aggregate: false}, serviceAccount: {annotations: {a: b}}}",
            "{service: {port: 80, annotations: {a: b}}, podMonitor: {enabled: true, interval: 1m, labels: {a: b}}}",
            "{resources: {limits: {cpu: 1, memory: 1Gi}}, javaOptions: '-Xmx300m', env: [{name: A, value: b}]}",
            "{podAnnotations: {a: b}, podLabels: {c: d}, priorityClassName: high, nodeSelector: {e: f}}",
            "{tolerations: [{key: a, operator: Exists}], affinity: {nodeAffinity: {}}}",
            "{global: {imageRegistry: r.example, imagePullSecrets: [{name: a}]},"
                    + " workers: {imagePullSecrets: [{name: b}]}}",
            "{fixedUser: false, log: {format: json, operatorLevel: DEBUG, workerLevel: WARN}}",
            "{podSecurityContext: {runAsUser: 1000, fsGroup: null}, securityContext: {runAsNonRoot: true}}",
            "{networkPolicy: {ingress: [{from: [{podSelector: {}}]}],"
                    + " egress: {enabled: true, rules: [{ports: [{port: 1}]}],"
                    + " apiServer: [{ipBlock: {cidr: 10.0.0.1/32}}]}}}",
            "{podTemplates: {allow: [Privileged, Root]}, dashboards: {enabled: true, annotations: {folder: ratchet}}}",
            "{envFrom: [{configMapRef: {name: a}}], extraVolumes: [{name: a, configMap: {name: a}}],"
                    + " extraVolumeMounts: [{name: a, mountPath: /etc/a}]}",
            "{topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}");

    @Test
    void theStrictLintFindsNothing() {
        assertThat(Chart.lint().isFailed())
                .as(Chart.lint().getMessages().toString())
                .isFalse();
    }

    /** The oldest release that still has admission by rules, and the newest; the text differs by release, so both. */
    @ParameterizedTest
    @FieldSource("VALUES")
    void everyObjectIsOneThatKubernetesKnows(String values) {
        for (String kubernetes : List.of("1.20.2", "1.25.0", "1.36.0")) {
            UnknownFields models = kubernetes.equals("1.36.0") ? NEWEST : OLDEST;
            assertKnown(Chart.render(kubernetes, values), models);
            assertKnown(Chart.renderTests(kubernetes, values), models);
        }
    }

    private static void assertKnown(Rendered rendered, UnknownFields models) {
        List<JsonNode> documents = rendered.documents();
        assertThat(documents).isNotEmpty();
        assertThat(documents.stream().flatMap(document -> models.of(document).stream()))
                .isEmpty();
        assertThat(documents)
                .extracting(document -> document.at("/metadata/name").asText())
                .doesNotContain("");
        assertThat(documents)
                .extracting(document -> document.at("/metadata/labels/app.kubernetes.io~1managed-by")
                        .asText())
                .containsOnly("Helm");
    }

    @Test
    void whatAReleaseOfKubernetesDoesNotKnowIsFound() {
        JsonNode wrong = new Rendered("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: a, labels: {b: 1}}
                spec:
                  replcas: 2
                  paused: "no"
                  template: {spec: {hostnameOverride: a, containers: [{name: b, comand: [x], args: x}]}}
                """).documents().getFirst();
        List<String> always = List.of(
                "Deployment.metadata.labels.b",
                "Deployment.spec.replcas",
                "Deployment.spec.paused",
                "Deployment.spec.template.spec.containers[0].comand",
                "Deployment.spec.template.spec.containers[0].args");
        assertThat(NEWEST.of(wrong)).containsExactlyElementsOf(always);
        assertThat(OLDEST.of(wrong))
                .as("hostnameOverride came with 1.34")
                .containsAll(always)
                .contains("Deployment.spec.template.spec.hostnameOverride");
        assertThat(NEWEST.of(new Rendered("apiVersion: apps/v1\nkind: Deploiment\n")
                        .documents()
                        .getFirst()))
                .containsExactly("apps/v1/Deploiment");
    }

    @ParameterizedTest
    @FieldSource("VALUES")
    void everyPodKeepsToTheRestrictedProfile(String values) {
        Rendered rendered = Chart.render("1.30.0", values);
        assertRestricted(rendered.only(Deployment.class).getSpec().getTemplate().getSpec());
        assertRestricted(Chart.renderTests("1.30.0", values).only(Pod.class).getSpec());
    }

    private static void assertRestricted(PodSpec spec) {
        assertThat(spec.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(spec.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(spec.getHostNetwork()).isNull();
        for (Container container : spec.getContainers()) {
            assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                    .isFalse();
            assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                    .isTrue();
            assertThat(container.getSecurityContext().getCapabilities().getDrop())
                    .containsExactly("ALL");
            assertThat(container.getSecurityContext().getCapabilities().getAdd())
                    .isEmpty();
        }
    }

    @Test
    void theOperatorIsToldWhereItRunsWhatItWatchesAndWhichImageWorkersGet() {
        Container operator = operator(Chart.render("1.30.0", "{watch: {namespaces: [a, b]}, certificates: {days: 7}}"));
        assertThat(operator.getImage()).isEqualTo("ratchet/operator:0.2.0");
        assertThat(operator.getEnv())
                .extracting(EnvVar::getName)
                .contains("POD_NAME", "RATCHET_OPERATOR_NAMESPACE", "RATCHET_LEADER_ELECTION", "RATCHET_HTTP_PORT");
        assertThat(variable(operator, "RATCHET_WATCH_NAMESPACES")).isEqualTo("a,b");
        assertThat(variable(operator, "RATCHET_WORKER_IMAGE")).isEqualTo("ratchet/worker:0.2.0");
        assertThat(variable(operator, "RATCHET_CERTIFICATE_DAYS")).isEqualTo("7");
        assertThat(variable(operator, "RATCHET_NETWORK_POLICIES")).isEqualTo("true");
    }

    @Test
    void itWatchesTheNamespaceOfTheReleaseUnlessToldOtherwise() {
        assertThat(variable(operator(Chart.render("1.30.0", "{}")), "RATCHET_WATCH_NAMESPACES"))
                .isEqualTo(Chart.NAMESPACE);
        Container all = operator(Chart.render("1.30.0", "{watch: {allNamespaces: true}}"));
        assertThat(variable(all, "RATCHET_WATCH_NAMESPACES")).as("all").isEmpty();
    }

    @Test
    void aDigestWinsOverATag() {
        String digest = "sha256:" + "b".repeat(64);
        Container operator = operator(Chart.render("1.30.0", "{image: {tag: x, digest: '" + digest + "'}}"));
        assertThat(operator.getImage()).isEqualTo("ratchet/operator@" + digest);
    }

    @Test
    void everyImageComesFromTheRegistryOfAll() {
        String values = "{global: {imageRegistry: registry.example/mirror/}}";
        Container operator = operator(Chart.render("1.30.0", values));
        assertThat(operator.getImage()).isEqualTo("registry.example/mirror/ratchet/operator:0.2.0");
        assertThat(variable(operator, "RATCHET_WORKER_IMAGE"))
                .isEqualTo("registry.example/mirror/ratchet/worker:0.2.0");
        assertThat(Chart.renderTests("1.30.0", values)
                        .only(Pod.class)
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage())
                .isEqualTo(operator.getImage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.20.2", "1.30.0"})
    void theServiceSelectsThePodsOfTheOperatorAndNothingElse(String kubernetes) {
        Rendered rendered = Chart.render(kubernetes, "{}");
        var selector = rendered.only(Service.class).getSpec().getSelector();
        Deployment deployment = rendered.only(Deployment.class);
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels()).containsAllEntriesOf(selector);
        assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(selector);
        assertThat(rendered.only(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels())
                .isEqualTo(selector);
        assertThat(Chart.renderTests(kubernetes, "{}")
                        .only(Pod.class)
                        .getMetadata()
                        .getLabels())
                .doesNotContainEntry("app.kubernetes.io/component", "operator");
    }

    @Test
    void theBudgetHasTheVersionThatTheApiServerKnows() {
        assertThat(budget("1.20.2", "{}")).containsExactly("policy/v1beta1");
        assertThat(budget("1.21.0", "{}")).containsExactly("policy/v1");
        assertThat(budget("1.30.0", "{replicas: 1}")).isEmpty();
    }

    private static List<String> budget(String kubernetes, String values) {
        return Chart.render(kubernetes, values).objects().stream()
                .filter(object -> object.getKind().equals("PodDisruptionBudget"))
                .map(HasMetadata::getApiVersion)
                .toList();
    }

    @Test
    void theTestAsksTheServiceOfThisRelease() {
        String service =
                Chart.render("1.30.0", "{}").only(Service.class).getMetadata().getName();
        Pod test = Chart.renderTests("1.30.0", "{service: {port: 81}}").only(Pod.class);
        assertThat(test.getSpec().getContainers().getFirst().getCommand().getLast())
                .isEqualTo(
                        "http://$(" + service.toUpperCase(Locale.ROOT).replace('-', '_') + "_SERVICE_HOST):81/readyz");
    }

    @Test
    void theReleaseNameIsPartOfTheNamesUnlessItSaysRatchetAlready() {
        assertThat(names(Chart.RELEASE)).containsExactly("ratchet-operator");
        assertThat(names("blue")).containsExactly("blue-ratchet-operator");
        assertThat(names("b".repeat(53)))
                .allSatisfy(
                        name -> assertThat(name).hasSizeLessThanOrEqualTo(63).doesNotEndWith("-"));
    }

    private static List<String> names(String release) {
        Rendered rendered = new Rendered(Chart.text(release, "1.30.0", "{}"));
        assertThat(rendered.only(ServiceAccount.class).getMetadata().getName())
                .isEqualTo(rendered.only(Deployment.class)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getServiceAccountName());
        return List.of(rendered.only(Deployment.class).getMetadata().getName());
    }

    private static Container operator(Rendered rendered) {
        return rendered.only(Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
    }

    private static String variable(Container container, String name) {
        return container.getEnv().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst()
                .orElseThrow();
    }
}
