/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.apiserver.logs.PodLogs;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes of real processes. It watches pods through the API server, binds those that fit, has the {@link NodePods} of
 * each node run what is bound to it, and binds claims to folders, which all nodes reach. Invariant: a pod is known by
 * its UID, so a pod made anew under an old name never meets the processes of the old one.
 *
 * <p>Memory and CPU limits are not enforced: that needs control groups, which need rights that a user does not have.
 * Files outside of the volumes are not protected either. Thread-safe.
 */
public final class Kubelet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Kubelet.class);
    private static final long LIFECYCLE_SECONDS = 1;
    private static final DeleteOptions REMOVE_NOW = new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withGracePeriodSeconds(0L)
            .build();

    private final KubernetesClient client;
    private final KubeletOptions options;
    private final PodEvents events;
    private final PodHost host = new Host();
    private final Map<String, NodePods> nodes = new TreeMap<>();
    private final Map<String, NodeAgent> agents = new TreeMap<>();
    private final NodeLifecycle lifecycle;
    private final ClaimBinder claimBinder;
    private final ScheduledExecutorService controlLoop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kubelet-control").factory());
    private final FollowedSources sources;
    private final Scheduler scheduler;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Node> nodeObjects;

    private Kubelet(KubernetesClient client, KubeletOptions options) {
        this.client = client;
        this.options = options;
        this.events = new PodEvents(client);
        PodAddresses addresses = new PodAddresses(options.directory().hashCode());
        for (String name : options.nodes()) {
            nodes.put(name, new NodePods(host, addresses, this::ended));
            agents.put(name, new NodeAgent(client, options, name));
        }
        this.lifecycle = new NodeLifecycle(client, options.lossTolerated());
        this.claimBinder = new ClaimBinder(client, options.directory().resolve("claims"));
        this.sources = new FollowedSources(client);
        this.pods = client.pods().inAnyNamespace().runnableInformer(0);
        this.nodeObjects = client.nodes().runnableInformer(0);
        this.scheduler = new Scheduler(
                client,
                options,
                this::nodeList,
                () -> List.copyOf(pods.getStore().list()),
                events);
    }

    /**
     * Starts a kubelet whose folder is its own; what an earlier one left there of processes is killed, and its pods'
     * folders are deleted.
     *
     * @param client is used by many threads and not closed
     */
    public static Kubelet start(KubernetesClient client, KubeletOptions options) throws IOException {
        Kubelet kubelet = new Kubelet(client, options);
        Files.createDirectories(options.directory());
        kubelet.killAll();
        Trees.delete(options.directory().resolve("pods"));
        Trees.delete(options.directory().resolve("claims"));
        kubelet.run();
        return kubelet;
    }

    private void run() {
        agents.values().forEach(NodeAgent::register);
        sources.start(
                this::refresh, claim -> control(() -> claimBinder.bind(claim)), claim -> control(() -> release(claim)));
        nodeObjects.addEventHandler(
                new Follower<>(node -> control(() -> onNode(node)), node -> control(() -> onNodeGone(node))));
        nodeObjects.run();
        pods.addEventHandler(new Follower<>(this::onPod, this::onPodGone));
        pods.run();
        repeat(this::heartbeat, NodeAgent.HEARTBEAT_SECONDS);
        repeat(() -> lifecycle.run(List.copyOf(pods.getStore().list()), Instant.now()), LIFECYCLE_SECONDS);
    }

    private void repeat(Runnable work, long seconds) {
        controlLoop.scheduleWithFixedDelay(() -> attempt(work), seconds, seconds, TimeUnit.SECONDS);
    }

    private void heartbeat() {
        nodes.forEach((name, node) -> {
            if (!node.isLost()) {
                Objects.requireNonNull(agents.get(name)).heartbeat();
            }
        });
    }

    /** The logs of its pods, for the API server. */
    public PodLogs logs() {
        return new PodLogFiles(uid -> nodes.values().stream()
                .map(node -> node.runner(uid))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null));
    }

    /** The nodes that are its own, by name. */
    private List<Node> nodeList() {
        return nodeObjects.getStore().list().stream()
                .filter(node -> nodes.containsKey(node.getMetadata().getName()))
                .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
                .toList();
    }

    private void onNode(Node object) {
        String name = object.getMetadata().getName();
        NodePods node = nodes.get(name);
        if (node == null) {
            return;
        }
        NodeAgent agent = Objects.requireNonNull(agents.get(name));
        if (NodeAgent.isLost(object) && !node.isLost()) {
            LOG.info("a node is lost, its processes are killed: node={}", name);
            node.lose();
            lifecycle.lost(name, Instant.now());
            agent.lose();
        } else if (!NodeAgent.isLost(object) && node.isLost()) {
            LOG.info("a node is back: node={}", name);
            lifecycle.back(name);
            agent.restore();
            node.restore(bound(name));
        }
        scheduler.run();
    }

    /** What was bound to a node that does not exist is not there any more either. */
    private void onNodeGone(Node object) {
        String name = object.getMetadata().getName();
        NodePods node = nodes.get(name);
        if (node != null) {
            LOG.info("a node was deleted, its processes are killed: node={}", name);
            node.lose();
            bound(name).forEach(host::remove);
        }
    }

    private List<Pod> bound(String node) {
        return pods.getStore().list().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .toList();
    }

    private void onPod(Pod pod) {
        String nodeName = pod.getSpec().getNodeName();
        if (nodeName == null || nodeName.isEmpty()) {
            if (pod.getMetadata().getDeletionTimestamp() == null) {
                control(scheduler::run);
            } else {
                control(() -> host.remove(pod));
            }
        } else if (nodes.containsKey(nodeName)) {
            Objects.requireNonNull(nodes.get(nodeName)).present(pod);
        }
    }

    private void ended() {
        control(scheduler::run);
        control(this::sweepClaims);
    }

    private void onPodGone(Pod pod) {
        nodes.values().forEach(node -> node.gone(pod));
        control(scheduler::run);
    }

    private void release(PersistentVolumeClaim claim) {
        claimBinder.release(claim);
        sweepClaims();
    }

    private void sweepClaims() {
        Set<String> inUse = runners()
                .map(PodRunner::pod)
                .flatMap(pod -> pod.getSpec().getVolumes().stream()
                        .filter(volume -> volume.getPersistentVolumeClaim() != null)
                        .map(volume -> pod.getMetadata().getNamespace() + "/"
                                + volume.getPersistentVolumeClaim().getClaimName()))
                .collect(Collectors.toSet());
        claimBinder.sweep(inUse);
    }

    private void refresh(HasMetadata changed) {
        String namespace = changed.getMetadata().getNamespace();
        runners()
                .filter(runner -> runner.pod().getMetadata().getNamespace().equals(namespace))
                .forEach(PodRunner::refresh);
    }

    private Stream<PodRunner> runners() {
        return nodes.values().stream().flatMap(node -> node.runners().stream());
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("work of the kubelet failed and waits for its next occasion: {}", e.toString());
        }
    }

    private void control(Runnable work) {
        try {
            controlLoop.execute(() -> attempt(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("the kubelet is closed: {}", e.toString());
        }
    }

    /** Kills all processes; the pods stay in the API server as they are. */
    @Override
    public void close() {
        pods.stop();
        nodeObjects.stop();
        sources.close();
        controlLoop.shutdownNow();
        nodes.values().forEach(NodePods::close);
        killAll();
    }

    private void killAll() {
        for (ProcessRecord record : ProcessRecord.below(options.directory().resolve("pods"))) {
            if (record.kill()) {
                LOG.info("killed what still ran: {}", record.file());
            }
        }
    }

    private final class Host implements PodHost {

        @Override
        public KubeletOptions options() {
            return options;
        }

        @Override
        public PodSources sources() {
            return sources;
        }

        @Override
        public void writeStatus(Pod pod, PodStatus status) {
            try {
                client.pods()
                        .inNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), Scheduler.patch(pod, Map.of("status", status)));
            } catch (KubernetesClientException e) {
                if (e.getCode() != 404 && e.getCode() != 409) {
                    throw e;
                }
                LOG.debug(
                        "the status of a pod that has gone: pod={} cause={}",
                        pod.getMetadata().getName(),
                        e.toString());
            }
        }

        @Override
        public void remove(Pod pod) {
            try {
                String path = "/api/v1/namespaces/" + pod.getMetadata().getNamespace() + "/pods/"
                        + pod.getMetadata().getName();
                client.raw(
                        path,
                        "DELETE",
                        REMOVE_NOW
                                .edit()
                                .withNewPreconditions(null, pod.getMetadata().getUid())
                                .build());
            } catch (KubernetesClientException e) {
                if (e.getCode() != 404 && e.getCode() != 409) {
                    throw e;
                }
            }
        }

        @Override
        public void event(Pod pod, String type, String reason, String message) {
            events.add(pod, type, reason, message);
        }
    }
}
