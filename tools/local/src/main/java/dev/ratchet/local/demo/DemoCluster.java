/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.demo;

import dev.ratchet.crds.ComputeCluster;
import dev.ratchet.crds.cluster.ComputeClusterStatus;
import dev.ratchet.local.environment.EnvironmentException;
import dev.ratchet.local.environment.Home;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of the demonstration, handled as a user does it: apply, patch, wait. Every wait has a limit and says what
 * was missing.
 */
final class DemoCluster {

    static final String NAME = "word-count";
    static final String NAMESPACE = "default";

    private static final long READY_LIMIT_SECONDS = 90;
    private static final long SCALE_LIMIT_SECONDS = 90;
    private static final long DELETE_LIMIT_SECONDS = 90;
    private static final long BUSY_LIMIT_SECONDS = 30;

    private final KubernetesClient client;
    private final Home home;

    DemoCluster(KubernetesClient client, Home home) {
        this.client = client;
        this.home = home;
    }

    /** Applies the manifest and waits for all its workers. */
    void apply(Path manifest, int workers) throws EnvironmentException, IOException {
        try (InputStream yaml = Files.newInputStream(manifest)) {
            client.resource(client.load(yaml).items().get(0))
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager("ratchet-demo")
                            .withForce(true)
                            .build());
        }
        await(
                "ready with " + workers + " workers",
                READY_LIMIT_SECONDS,
                status -> status.readyReplicas == workers && isReady(status));
    }

    void scale(int workers) {
        cluster()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"workers\":{\"replicas\":" + workers + "}}}");
    }

    void awaitWorkers(int workers) throws EnvironmentException {
        await(
                "with " + workers + " ready workers",
                SCALE_LIMIT_SECONDS,
                status -> status.readyReplicas == workers && status.replicas == workers);
    }

    /**
     * Every worker but the first, whose end also costs the coordinator; each has been asked once, so that the next
     * question takes a moment only.
     */
    List<Pod> otherWorkers() {
        List<Pod> others = client
                .pods()
                .inNamespace(NAMESPACE)
                .withLabel("ratchet.dev/cluster", NAME)
                .withLabel("ratchet.dev/component", "worker")
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.getMetadata().getName().endsWith("-0"))
                .toList();
        others.forEach(pod -> BusyWorker.of(pod, home));
        return others;
    }

    /** The worker that runs most of the tasks, as soon as one of them runs any: most of a task is still to be done. */
    BusyWorker busiest(List<Pod> workers) throws EnvironmentException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(BUSY_LIMIT_SECONDS)) {
            Optional<BusyWorker> busiest = workers.stream()
                    .flatMap(pod -> BusyWorker.of(pod, home).stream())
                    .max(Comparator.comparingInt(BusyWorker::claims));
            if (busiest.isPresent()) {
                return busiest.get();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        throw new EnvironmentException(
                1,
                "no worker of " + NAME + " but the first has run a task within " + BUSY_LIMIT_SECONDS + " s; see "
                        + home.directory());
    }

    /** Puts the connection of the cluster's client where the command line finds it. */
    Path connection() throws EnvironmentException, IOException {
        Secret secret = client.secrets()
                .inNamespace(NAMESPACE)
                .withName(NAME + "-client")
                .get();
        String encoded = secret == null || secret.getData() == null
                ? null
                : secret.getData().get("connection");
        if (encoded == null) {
            throw new EnvironmentException(
                    1, "the Secret " + NAME + "-client has no key connection; see " + home.directory());
        }
        Path file = home.connection(NAMESPACE, NAME);
        Files.createDirectories(file.getParent());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(next, Base64.getDecoder().decode(encoded));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return file;
    }

    void delete() throws EnvironmentException {
        cluster().delete();
        try {
            cluster().waitUntilCondition(present -> present == null, DELETE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (KubernetesClientTimeoutException e) {
            throw new EnvironmentException(
                    1, "the cluster " + NAME + " is not gone after " + DELETE_LIMIT_SECONDS + " s: " + conditions());
        }
    }

    private void await(String what, long limitSeconds, Predicate<ComputeClusterStatus> wanted)
            throws EnvironmentException {
        try {
            cluster()
                    .waitUntilCondition(
                            present -> present != null && isCurrent(present) && wanted.test(present.getStatus()),
                            limitSeconds,
                            TimeUnit.SECONDS);
        } catch (KubernetesClientTimeoutException e) {
            throw new EnvironmentException(
                    1,
                    "the cluster " + NAME + " is not " + what + " after " + limitSeconds + " s: " + conditions()
                            + "; logs are in " + home.directory());
        }
    }

    private static boolean isCurrent(ComputeCluster cluster) {
        return cluster.getStatus() != null
                && cluster.getStatus().observedGeneration
                        >= cluster.getMetadata().getGeneration();
    }

    private static boolean isReady(ComputeClusterStatus status) {
        return status.conditions.stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private String conditions() {
        @Nullable ComputeCluster present = cluster().get();
        if (present == null || present.getStatus() == null) {
            return "it has no status";
        }
        return present.getStatus().conditions.stream()
                .map(condition -> condition.getType() + "=" + condition.getStatus() + " " + condition.getReason())
                .collect(Collectors.joining(", "));
    }

    private Resource<ComputeCluster> cluster() {
        return client.resources(ComputeCluster.class).inNamespace(NAMESPACE).withName(NAME);
    }
}
