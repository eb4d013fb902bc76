/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.environment;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One place where Ratchet runs, with its operator installed; shared by all suites of one run. */
public abstract class TestEnvironment implements AutoCloseable {

    private final String name;
    private final Path kubeconfig;
    private final KubernetesClient client;

    TestEnvironment(String name, Path kubeconfig) {
        this.name = name;
        this.kubeconfig = kubeconfig;
        this.client = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
                .build();
    }

    /** The environment that the system property {@code ratchet.environment} names; made at the first call. */
    public static TestEnvironment current() {
        return Environments.current();
    }

    /** {@code local} or {@code kubernetes}. */
    public final String name() {
        return name;
    }

    /** A client with the rights of an administrator. */
    public final KubernetesClient client() {
        return client;
    }

    /** The kubectl of this environment: the first of {@link #kubectls()}. */
    public final Kubectl kubectl() {
        return kubectls().getFirst();
    }

    /** One kubectl of each version at hand: the programs that the system property {@code ratchet.kubectls} lists. */
    public final List<Kubectl> kubectls() {
        return Stream.of(System.getProperty("ratchet.kubectls", "kubectl").split(",", -1))
                .map(program -> new Kubectl(program, kubeconfig))
                .toList();
    }

    /** The kubeconfig all of this goes by. */
    public final Path kubeconfig() {
        return kubeconfig;
    }

    /** Whether the API server evaluates the CEL rules of our resources itself, as Kubernetes 1.25 and newer do. */
    public abstract boolean enforcesRules();

    /** Ends the operator as a crash would, in the middle of whatever it does. It comes back by itself. */
    public abstract void killOperator();

    /** Ends the pod's main process as a crash would, without telling anybody. */
    public abstract void kill(Pod pod);

    /** Everything the operator logged so far. */
    public abstract String operatorLog();

    /** Where the operator's processes serve health and metrics, as host:port. */
    public abstract List<String> operatorAddresses();

    /** What the operator's processes serve under /metrics, one after the other. */
    public final String operatorMetrics() {
        return operatorAddresses().stream().map(TestEnvironment::metrics).collect(Collectors.joining("\n"));
    }

    /** What is served under /metrics at {@code address}. */
    public static String metrics(String address) {
        return Http.get("http://" + address + "/metrics");
    }

    @Override
    public abstract void close();
}
