/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.e2e.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import dev.ratchet.e2e.environment.TestEnvironment;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** One ComputeCluster of a test in a namespace of its own, and what a user can see of it. */
final class Cluster implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofMinutes(4);
    static final String VERSION = System.getProperty("ratchet.version", "0.2.0");
    private final TestEnvironment environment;
    final String namespace;
    final String name;

    private Cluster(TestEnvironment environment, String namespace, String name) {
        this.environment = environment;
        this.namespace = namespace;
        this.name = name;
    }

    /** A handle on a cluster that does not exist yet; makes the namespace. */
    static Cluster in(TestEnvironment environment, String namespace, String name) {
        Namespace wanted = new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build();
        if (environment.client().resource(wanted).get() == null) {
            environment.client().resource(wanted).create();
        }
        return new Cluster(environment, namespace, name);
    }

    /** The manifest that {@link #apply} applies. */
    String manifest(int replicas, String deletionPolicy) {
        return """
            apiVersion: ratchet.dev/v1alpha1
            kind: ComputeCluster
            metadata: {name: %s, namespace: %s}
            spec:
              version: %s
              deletionPolicy: %s
              store:
                type: Embedded
                embedded:
                  storage: {size: 1Gi}
                  resources: {requests: {cpu: 50m, memory: 256Mi}, limits: {memory: 512Mi}}
              workers:
                replicas: %d
                threads: 2
                resources: {requests: {cpu: 50m, memory: 256Mi}, limits: {memory: 512Mi}}
                drainTimeoutMillis: 20000
            """.formatted(name, namespace, VERSION, deletionPolicy, replicas);
    }

    /** Applies {@link #manifest} with some more lines of the spec, indented by two. */
    Cluster apply(int replicas, String more) {
        return apply(VERSION, replicas, more);
    }

    /** The same with a release that is not this one. */
    Cluster apply(String version, int replicas, String more) {
        String manifest = manifest(replicas, "Delete").replace("version: " + VERSION, "version: " + version);
        environment.kubectl().apply(manifest + more).succeeded();
        return this;
    }

    Cluster apply(int replicas) {
        environment.kubectl().apply(manifest(replicas, "Delete")).succeeded();
        return this;
    }

    Cluster awaitReady(int replicas) {
        awaitThat(
                "ready with " + replicas + " workers",
                () -> "True".equals(condition("Ready"))
                        && "True".equals(condition("LayoutStable"))
                        && number("status", "readyReplicas") == replicas
                        && workerPods().size() == replicas
                        && workerPods().stream().allMatch(Cluster::isReady));
        return this;
    }

    /** The resource as it is now, or null. */
    @Nullable
    GenericKubernetesResource resource() {
        return environment
                .client()
                .genericKubernetesResources(context("ComputeCluster", "computeclusters"))
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    List<GenericKubernetesResource> resources(String kind) {
        return environment
                .client()
                .genericKubernetesResources(context(kind, kind.toLowerCase(Locale.ROOT) + "s"))
                .inNamespace(namespace)
                .withLabel("ratchet.dev/cluster", name)
                .list()
                .getItems();
    }

    private static ResourceDefinitionContext context(String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("ratchet.dev")
                .withVersion("v1alpha1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    /** Status of a condition, or "absent". */
    String condition(String type) {
        return conditionField(type, "status");
    }

    /** One field of a condition, or "absent". */
    @SuppressWarnings("unchecked") // a generic resource is made of maps and lists
    String conditionField(String type, String field) {
        GenericKubernetesResource resource = resource();
        if (resource == null || !(resource.get("status", "conditions") instanceof List<?> conditions)) {
            return "absent";
        }
        return conditions.stream()
                .map(condition -> (Map<String, Object>) condition)
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> String.valueOf(condition.get(field)))
                .findFirst()
                .orElse("absent");
    }

    int number(Object... path) {
        GenericKubernetesResource resource = resource();
        return resource != null && resource.get(path) instanceof Number number ? number.intValue() : -1;
    }

    /** The worker pods that are not on their way out, by name. */
    List<Pod> workerPods() {
        return pods(Map.of("ratchet.dev/cluster", name, "ratchet.dev/component", "worker"));
    }

    /**
     * The pod of the worker that the status names as coordinator. A status lags behind: after the end of a coordinator
     * it may name a pod that is on its way out, which is waited out.
     */
    Pod awaitCoordinator() {
        AtomicReference<@Nullable Pod> found = new AtomicReference<>();
        awaitThat("a coordinator whose pod is there", () -> {
            String seat =
                    String.valueOf(Objects.requireNonNull(resource()).<Object>get("status", "coordinator", "seat"));
            workerPods().stream()
                    .filter(pod -> pod.getMetadata().getName().equals(seat) && isReady(pod))
                    .forEach(found::set);
            return found.get() != null;
        });
        return Objects.requireNonNull(found.get());
    }

    /** UIDs of the pods of workers, in the order of their names. */
    List<String> workerUids() {
        return workerPods().stream().map(pod -> pod.getMetadata().getUid()).toList();
    }

    List<Pod> pods(Map<String, String> labels) {
        return environment.client().pods().inNamespace(namespace).withLabels(labels).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** The connection document of the cluster's own client Secret. */
    String connection() {
        Predicate<@Nullable Secret> complete = secret ->
                secret != null && secret.getData() != null && secret.getData().containsKey("connection");
        awaitThat("the client Secret", () -> complete.test(secret(name + "-client")));
        String encoded =
                Objects.requireNonNull(secret(name + "-client")).getData().get("connection");
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    @Nullable
    Secret secret(String secretName) {
        return environment
                .client()
                .secrets()
                .inNamespace(namespace)
                .withName(secretName)
                .get();
    }

    Ratchet connect() {
        return Ratchet.connect(options());
    }

    /** The document as the operator wrote it, and the address of the Service: there may be no DNS here. */
    ConnectionOptions options() {
        return ConnectionOptions.ofDocument(connection())
                .withEndpoint(clientEndpoint())
                .withConnectTimeout(TIMEOUT);
    }

    String clientEndpoint() {
        return Objects.requireNonNull(environment
                                .client()
                                .services()
                                .inNamespace(namespace)
                                .withName(name + "-client")
                                .get())
                        .getSpec()
                        .getClusterIP()
                + ":7400";
    }

    void patchReplicas(int replicas) {
        patch("{\"spec\":{\"workers\":{\"replicas\":" + replicas + "}}}");
    }

    /** Edits the resource by a merge patch. */
    void patch(String patch) {
        environment
                .kubectl()
                .run("patch", "computecluster", name, "-n", namespace, "--type=merge", "-p", patch)
                .succeeded();
    }

    /** The revision that the workers have had since the last upgrade ended. */
    String currentRevision() {
        return String.valueOf(Objects.requireNonNull(resource()).<Object>get("status", "currentRevision"));
    }

    /** Waits until an upgrade has ended that began when the workers had the revision {@code before}. */
    void awaitUpdated(String before, int workers) {
        awaitThat(
                "all workers of the new revision",
                () -> !currentRevision().equals(before)
                        && number("status", "updatedReplicas") == workers
                        && conditionField("UpgradeBlocked", "reason").equals("NoUpgrade")
                        && condition("LayoutStable").equals("True"));
        awaitReady(workers);
    }

    /** Waits, and says what the cluster looked like if it was in vain. */
    void awaitThat(String what, Callable<Boolean> holds) {
        try {
            await(what)
                    .atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(200))
                    .ignoreExceptions()
                    .until(holds);
        } catch (ConditionTimeoutException e) {
            String seen = environment
                    .kubectl()
                    .run(
                            "get",
                            "computeclusters,computeworkers,computelayouts,pods,events",
                            "-n",
                            namespace,
                            "-o",
                            "wide")
                    .output();
            throw new AssertionError(
                    what + " did not come about within " + TIMEOUT + ":\n" + seen + "\n"
                            + environment
                                    .kubectl()
                                    .run("describe", "computecluster", name, "-n", namespace)
                                    .output() + endedProcesses(),
                    e);
        }
    }

    /** How often the container of each worker was started again, by the UID of its pod. */
    Map<String, Integer> restarts() {
        return workerPods().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getUid(),
                        pod -> pod.getStatus().getContainerStatuses().getFirst().getRestartCount()));
    }

    /** What is known of the processes that ended before those that run. */
    String endedProcesses() {
        return environment.client().pods().inNamespace(namespace).list().getItems().stream()
                .filter(pod -> pod.getStatus() != null)
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream()
                        .filter(status -> status.getLastState() != null
                                && status.getLastState().getTerminated() != null)
                        .map(status -> "\nlast end of a process in pod "
                                + pod.getMetadata().getName() + ": "
                                + status.getLastState().getTerminated()))
                .collect(Collectors.joining());
    }

    /** Deletes the cluster as a user does and waits until nothing of it is left but what may stay. */
    void delete() {
        environment
                .kubectl()
                .run("delete", "computecluster", name, "-n", namespace, "--timeout=" + TIMEOUT.toSeconds() + "s")
                .succeeded();
        assertThat(resource()).isNull();
    }

    @Override
    public void close() {
        environment
                .kubectl()
                .run(
                        "delete",
                        "computecluster",
                        name,
                        "-n",
                        namespace,
                        "--ignore-not-found",
                        "--timeout=" + TIMEOUT.toSeconds() + "s")
                .succeeded();
        environment
                .kubectl()
                .run("delete", "namespace", namespace, "--wait=false")
                .succeeded();
    }
}
