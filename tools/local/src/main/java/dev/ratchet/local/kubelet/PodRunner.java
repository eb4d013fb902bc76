/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.kubelet.ImageFolders.Image;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one pod from its binding to its removal. One virtual thread does everything and owns all state below; others
 * only put work into its mailbox. After each piece of work it compares the pod with what runs, does what is due, and
 * writes the status if it differs from the last one written, so that nothing depends on which event came first.
 * Invariant: the pod leaves the API server only after its last process has ended.
 */
final class PodRunner implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PodRunner.class);
    private static final int MAILBOX_LIMIT = 1024;
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration GRACE_WHEN_GONE = Duration.ofSeconds(1);

    /**
     * What a container's process is started in.
     *
     * @param declared variables as the pod declares them
     * @param variables all variables, with the paths of this machine
     * @param home working directory unless the container names one
     */
    record Surroundings(PathMap paths, Map<String, String> declared, Map<String, String> variables, Path home) {}

    private final PodHost host;
    private final String address;
    private final Path directory;
    private final PodVolumes volumes;
    private final PodStatuses statuses = new PodStatuses();
    private final List<ContainerRunner> initial;
    private final List<ContainerRunner> containers;
    private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>(MAILBOX_LIMIT);

    private volatile Pod pod;
    private volatile boolean gone;
    private volatile boolean abandoned;
    private @Nullable PodStatus written;
    private Instant endBy = Instant.MAX;
    private Instant retryAt = Instant.MAX;
    private boolean mayStart;
    private volatile boolean finished;

    PodRunner(Pod pod, PodHost host, String address) {
        this.pod = pod;
        this.host = host;
        this.address = address;
        Path root = host.options().directory();
        this.directory = root.resolve("pods").resolve(pod.getMetadata().getUid());
        this.volumes = new PodVolumes(pod, directory.resolve("volumes"), root.resolve("claims"), host.sources());
        this.initial = runners(pod.getSpec().getInitContainers());
        this.containers = runners(pod.getSpec().getContainers());
    }

    private List<ContainerRunner> runners(List<Container> specs) {
        return specs.stream()
                .map(spec -> new ContainerRunner(
                        spec, this, new ContainerLog(directory.resolve("logs").resolve(spec.getName()))))
                .toList();
    }

    /** The pod has changed in the API server. */
    void update(Pod newer) {
        pod = newer;
        post(this::adoptImages);
    }

    /** The one field of a container that may change in its life. */
    private void adoptImages() {
        Pod newest = pod;
        if (!isEnding()) {
            containers.forEach(container -> newest.getSpec().getContainers().stream()
                    .filter(spec -> spec.getName().equals(container.spec().getName()))
                    .forEach(spec -> container.adopt(spec, Instant.now())));
        }
    }

    /** The pod is not in the API server any more, whatever runs of it. */
    void markGone() {
        gone = true;
        post(() -> {});
    }

    /** Kills the pod's processes and tells nobody; its folder stays. */
    void abandon() {
        abandoned = true;
        post(() -> {});
    }

    /** Something that the pod is made from may have changed. */
    void refresh() {
        post(() -> {});
    }

    /** Has {@code work} done on the pod's thread. */
    void post(Runnable work) {
        if (!mailbox.offer(work)) {
            LOG.error("the mailbox of a pod is full, an event is lost: pod={} limit={}", title(), MAILBOX_LIMIT);
        }
    }

    @Override
    public void run() {
        try {
            Files.createDirectories(directory);
            while (!finished && !abandoned) {
                try {
                    advance();
                } catch (KubernetesClientException e) {
                    LOG.warn("a pod's status or removal is tried again: pod={} cause={}", title(), e.toString());
                    retryAt = Instant.now().plus(RETRY);
                }
                awaitWork();
            }
            if (abandoned) {
                killAll();
                return;
            }
            Trees.delete(directory);
        } catch (IOException e) {
            LOG.error("the folder of a pod can not be made or deleted: pod={} folder={}", title(), directory, e);
        } catch (InterruptedException e) {
            everyContainer().forEach(container -> container.stop(Instant.now()));
            Thread.currentThread().interrupt();
        }
    }

    /** Those at once that are recorded, so that they do not see that they end, and then those that begin just now. */
    private void killAll() {
        ProcessRecord.below(directory).forEach(ProcessRecord::kill);
        Instant now = Instant.now();
        everyContainer()
                .filter(container -> container.phase() == ContainerRunner.Phase.RUNNING)
                .forEach(container -> {
                    container.stop(now);
                    container.advance(now, false);
                });
    }

    private void awaitWork() throws InterruptedException {
        if (finished) {
            return;
        }
        Instant now = Instant.now();
        Instant next = active().map(container -> container.nextWork(mayRestart(container)))
                .reduce(retryAt, PodRunner::earlier);
        long waitMillis =
                Math.max(1, Duration.between(now, earlier(next, now.plus(IDLE))).toMillis());
        Runnable work = mailbox.poll(waitMillis, TimeUnit.MILLISECONDS);
        while (work != null) {
            work.run();
            work = mailbox.poll();
        }
    }

    private void advance() throws IOException {
        Instant now = Instant.now();
        retryAt = Instant.MAX;
        if (isEnding()) {
            end(now);
        } else {
            mayStart = prepareVolumes(now);
            active().forEach(container -> container.advance(now, mayRestart(container)));
        }
        if (!gone && !finished) {
            publish();
        }
        if (isEnding() && !finished && active().findAny().isEmpty()) {
            if (!gone) {
                host.remove(pod);
            }
            finished = true;
        }
    }

    private boolean prepareVolumes(Instant now) throws IOException {
        try {
            volumes.prepare();
            return true;
        } catch (NotReadyException e) {
            LOG.info("a pod waits for its volumes: pod={} cause={}", title(), e.getMessage());
            retryAt = now.plus(RETRY.multipliedBy(5));
            return everyContainer().anyMatch(ContainerRunner::hasRun);
        }
    }

    /**
     * The containers that may have something to do: init containers one after the other, then the others; only what
     * still runs when the pod ends.
     */
    private Stream<ContainerRunner> active() {
        if (isEnding()) {
            return everyContainer().filter(container -> container.phase() == ContainerRunner.Phase.RUNNING);
        }
        if (!mayStart) {
            return Stream.empty();
        }
        Optional<ContainerRunner> first =
                initial.stream().filter(container -> !container.hasSucceeded()).findFirst();
        return first.isPresent() ? first.stream() : containers.stream();
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private void end(Instant now) {
        Long seconds = pod.getMetadata().getDeletionGracePeriodSeconds();
        Instant deadline =
                now.plus(gone ? GRACE_WHEN_GONE : Duration.ofSeconds(seconds == null ? graceSeconds() : seconds));
        if (deadline.isBefore(endBy)) {
            endBy = deadline;
            active().forEach(container -> event(
                    "Normal",
                    "Killing",
                    "Stopping container " + container.spec().getName()));
            everyContainer().forEach(container -> container.stop(endBy));
        }
        active().forEach(container -> container.advance(now, false));
    }

    private boolean mayRestart(ContainerRunner container) {
        if (isEnding()) {
            return false;
        }
        String policy = pod.getSpec().getRestartPolicy();
        boolean isInitial = initial.contains(container);
        return switch (policy == null ? "Always" : policy) {
            case "Never" -> false;
            case "OnFailure" -> !container.hasSucceeded();
            default -> !isInitial || !container.hasSucceeded();
        };
    }

    private void publish() {
        PodStatus status = statuses.of(pod, address, initial, containers, !isEnding());
        if (!status.equals(written)) {
            host.writeStatus(pod, status);
            written = status;
        }
    }

    /** What a run of {@code container} starts with; throws when a value can not be had yet. */
    Surroundings surroundings(Container container, Image image) throws IOException, NotReadyException {
        Map<String, String> declared =
                new ContainerEnvironment(pod, address, host.sources(), host.options()).of(container);
        Map<String, Path> folders = new HashMap<>(volumes.mounts(container));
        folders.put(image.prefix(), image.folder());
        PathMap paths = new PathMap(folders);
        Path home = Files.createDirectories(directory.resolve("home"));
        Map<String, String> variables = new HashMap<>(host.options().variables());
        variables.put("HOSTNAME", pod.getMetadata().getName());
        variables.put("HOME", home.toString());
        declared.forEach((name, value) -> variables.put(name, paths.translate(value)));
        return new Surroundings(paths, declared, variables, home);
    }

    private boolean isEnding() {
        return gone || pod.getMetadata().getDeletionTimestamp() != null;
    }

    private Stream<ContainerRunner> everyContainer() {
        return Stream.concat(initial.stream(), containers.stream());
    }

    long graceSeconds() {
        Long seconds = pod.getSpec().getTerminationGracePeriodSeconds();
        return seconds == null ? 30 : seconds;
    }

    void event(String type, String reason, String message) {
        host.event(pod, type, reason, message);
    }

    /** Where the process of a container is recorded while it runs. */
    ProcessRecord record(String container) {
        return new ProcessRecord(directory.resolve("containers").resolve(container + ".pid"));
    }

    PodHost host() {
        return host;
    }

    String address() {
        return address;
    }

    Pod pod() {
        return pod;
    }

    /** Namespace and name. */
    String title() {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    /** The log of a container; null when the pod has no such container. May be read from any thread. */
    @Nullable
    ContainerLog log(String container) {
        return everyContainer()
                .filter(candidate -> candidate.spec().getName().equals(container))
                .map(ContainerRunner::log)
                .findFirst()
                .orElse(null);
    }

    /** Whether the container has a process or may get one again at once; may be asked from any thread. */
    boolean isRunning(String container) {
        return everyContainer()
                .anyMatch(candidate -> candidate.spec().getName().equals(container)
                        && candidate.phase() == ContainerRunner.Phase.RUNNING);
    }

    boolean isFinished() {
        return finished;
    }
}
