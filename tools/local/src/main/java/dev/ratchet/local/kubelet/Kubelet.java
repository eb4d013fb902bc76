/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.apiserver.logs.PodLogs;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node of real processes. It watches pods through the API server, binds those that fit, runs one {@link PodRunner}
 * for each pod bound to it, and binds claims to folders. Invariant: a pod is known by its UID, so a pod made anew under
 * an old name never meets the processes of the old one.
 *
 * <p>Memory and CPU limits are not enforced: that needs control groups, which need rights that a user does not have.
 * Files outside of the volumes are not protected either. Thread-safe.
 */
public final class Kubelet implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Kubelet.class);
    private static final long CLOSE_LIMIT_SECONDS = 20;
    private static final DeleteOptions REMOVE_NOW = new DeleteOptionsBuilder()
            .withApiVersion("v1")
            .withKind("DeleteOptions")
            .withGracePeriodSeconds(0L)
            .build();

    private final KubernetesClient client;
    private final KubeletOptions options;
    private final PodAddresses addresses;
    private final PodEvents events;
    private final Map<String, PodRunner> runners = new ConcurrentHashMap<>();
    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final PodHost host = new Host();
    private final NodeAgent node;
    private final ClaimBinder claimBinder;
    private final ScheduledExecutorService controlLoop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kubelet-control").factory());
    private final FollowedSources sources;
    private final Scheduler scheduler;
    private final SharedIndexInformer<Pod> pods;
    private volatile boolean closed;

    private Kubelet(KubernetesClient client, KubeletOptions options) {
        this.client = client;
        this.options = options;
        this.addresses = new PodAddresses(options.directory().hashCode());
        this.events = new PodEvents(client, options.nodeName());
        this.node = new NodeAgent(client, options);
        this.claimBinder = new ClaimBinder(client, options.directory().resolve("claims"));
        this.sources = new FollowedSources(client);
        this.pods = client.pods().inAnyNamespace().runnableInformer(0);
        this.scheduler =
                new Scheduler(client, options, () -> List.copyOf(pods.getStore().list()), events);
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
        node.register();
        sources.start(
                this::refresh, claim -> control(() -> claimBinder.bind(claim)), claim -> control(() -> release(claim)));
        pods.addEventHandler(new Follower<>(this::onPod, this::onPodGone));
        pods.run();
        controlLoop.scheduleWithFixedDelay(
                node::heartbeat, NodeAgent.HEARTBEAT_SECONDS, NodeAgent.HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    }

    /** The logs of its pods, for the API server. */
    public PodLogs logs() {
        return new PodLogFiles(runners::get);
    }

    private void onPod(Pod pod) {
        String nodeName = pod.getSpec().getNodeName();
        if (nodeName == null || nodeName.isEmpty()) {
            if (pod.getMetadata().getDeletionTimestamp() == null) {
                control(scheduler::run);
            } else {
                control(() -> host.remove(pod));
            }
        } else if (nodeName.equals(options.nodeName())) {
            PodRunner known = runners.get(pod.getMetadata().getUid());
            if (known != null) {
                known.update(pod);
            } else if (!closed) {
                begin(pod);
            }
        }
    }

    private void begin(Pod pod) {
        String uid = pod.getMetadata().getUid();
        String address = addresses.take();
        PodRunner runner = new PodRunner(pod, host, address);
        runners.put(uid, runner);
        Thread thread = Thread.ofVirtual().name("pod-" + runner.title()).unstarted(() -> {
            try {
                runner.run();
            } catch (RuntimeException e) {
                LOG.error("a pod is not looked after any more: pod={}", runner.title(), e);
            } finally {
                runners.remove(uid);
                threads.remove(uid);
                addresses.giveBack(address);
                control(scheduler::run);
                control(this::sweepClaims);
            }
        });
        threads.put(uid, thread);
        thread.start();
    }

    private void onPodGone(Pod pod) {
        PodRunner runner = runners.get(pod.getMetadata().getUid());
        if (runner != null) {
            runner.markGone();
        }
        control(scheduler::run);
    }

    private void release(PersistentVolumeClaim claim) {
        claimBinder.release(claim);
        sweepClaims();
    }

    private void sweepClaims() {
        Set<String> inUse = runners.values().stream()
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
        runners.values().stream()
                .filter(runner -> runner.pod().getMetadata().getNamespace().equals(namespace))
                .forEach(PodRunner::refresh);
    }

    private void control(Runnable work) {
        try {
            controlLoop.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    LOG.warn("work of the kubelet failed and waits for its next occasion: {}", e.toString());
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the kubelet is closed: {}", e.toString());
        }
    }

    /** Kills all processes; the pods stay in the API server as they are. */
    @Override
    public void close() {
        closed = true;
        pods.stop();
        sources.close();
        controlLoop.shutdownNow();
        threads.values().forEach(Thread::interrupt);
        try {
            for (Thread thread : threads.values()) {
                thread.join(TimeUnit.SECONDS.toMillis(CLOSE_LIMIT_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
