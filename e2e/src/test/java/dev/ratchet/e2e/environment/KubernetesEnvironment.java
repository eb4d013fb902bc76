/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Any cluster that a kubeconfig leads to; the operator comes from the chart of this checkout. */
public final class KubernetesEnvironment extends TestEnvironment {

    /** Where the chart is installed, and under which name. */
    public static final String NAMESPACE = "ratchet-system";

    /** Name of the Helm release. */
    public static final String RELEASE = "ratchet";

    private static final Path CHART =
            Path.of("").toAbsolutePath().getParent().resolve("helm").resolve("ratchet");
    private static final int READY_SECONDS = 180;

    private KubernetesEnvironment(Path kubeconfig) {
        super("kubernetes", kubeconfig);
    }

    static KubernetesEnvironment install(Path kubeconfig) {
        KubernetesEnvironment environment = new KubernetesEnvironment(kubeconfig);
        environment.install();
        return environment;
    }

    /** {@code helm install} for the clusters of all namespaces; returns when the operator is ready. */
    public void install() {
        new Helm(CHART)
                .install()
                .withName(RELEASE)
                .withNamespace(NAMESPACE)
                .createNamespace()
                .set("watch.allNamespaces", true)
                .withKubeConfig(kubeconfig())
                .waitReady()
                .withTimeout(READY_SECONDS)
                .call();
    }

    /** The chart of this checkout. */
    public static Helm chart() {
        return new Helm(CHART);
    }

    @Override
    public boolean enforcesRules() {
        String minor = client().getKubernetesVersion().getMinor().replaceAll("\\D", "");
        return Integer.parseInt(minor) >= 25 || servesOurGroupElsewhere();
    }

    /** Behind the aggregation layer of an old server there may be a newer one for our group alone. */
    private boolean servesOurGroupElsewhere() {
        GenericKubernetesResource registration = client().genericKubernetesResources(
                        "apiregistration.k8s.io/v1", "APIService")
                .withName("v1alpha1.ratchet.dev")
                .get();
        return registration != null && registration.get("spec", "service") != null;
    }

    @Override
    public void killOperator() {
        for (Pod pod : operatorPods()) {
            client().resource(pod).withGracePeriod(0L).delete();
        }
    }

    @Override
    public void kill(Pod pod) {
        client().resource(pod).withGracePeriod(0L).delete();
    }

    private List<Pod> operatorPods() {
        return client().pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/component", "operator")
                .list()
                .getItems();
    }

    @Override
    public String operatorLog() {
        return operatorPods().stream()
                .map(pod -> client().pods()
                        .inNamespace(NAMESPACE)
                        .withName(pod.getMetadata().getName())
                        .getLog())
                .collect(Collectors.joining("\n"));
    }

    @Override
    public List<String> operatorAddresses() {
        return operatorPods().stream()
                .map(pod -> pod.getStatus().getPodIP() + ":8080")
                .toList();
    }

    @Override
    public void close() {
        client().close();
    }
}
