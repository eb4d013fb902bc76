/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.local.kubelet;

import dev.ratchet.local.kubelet.ImageFolders.Image;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Probe;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Owns one container of a pod through all its runs: when it may start, its process, its probes, what its status says.
 * Invariant: at most one run at a time, and what a probe or an exit of an earlier run says is ignored. Everything
 * happens on the thread of its pod; results of processes and probes arrive there through the pod's mailbox.
 */
final class ContainerRunner {

    private static final int BACK_OFF_DOUBLINGS_LIMIT = 20;

    /** What the container's status shows as {@code state}. */
    enum Phase {
        WAITING,
        RUNNING,
        TERMINATED
    }

    private final PodRunner pod;
    private final ContainerLog log;
    private final List<ProbeLoop> probes = new ArrayList<>();

    private volatile Container spec;
    private volatile Phase phase = Phase.WAITING;
    private String waitingReason = "ContainerCreating";
    private String waitingMessage = "";
    private @Nullable ProcessGroup process;
    private @Nullable ProbeCheck check;
    private Instant startedAt = Instant.EPOCH;
    private @Nullable ContainerStateTerminated terminated;
    private @Nullable ContainerStateTerminated lastTerminated;
    private Instant nextStart = Instant.EPOCH;
    private Instant killAt = Instant.MAX;
    private int restarts = -1;
    private int crashes;
    private boolean started;
    private boolean ready;
    private boolean replaced;

    ContainerRunner(Container spec, PodRunner pod, ContainerLog log) {
        this.spec = spec;
        this.pod = pod;
        this.log = log;
    }

    /** Starts or kills what is due now; call it whenever time has passed or something changed. */
    void advance(Instant now, boolean mayRestart) {
        ProcessGroup running = process;
        if (running != null) {
            if (!now.isBefore(killAt)) {
                running.signal("KILL");
                killAt = Instant.MAX;
            }
        } else if (phase == Phase.TERMINATED && mayRestart) {
            phase = Phase.WAITING;
            lastTerminated = terminated;
            waitingReason = "CrashLoopBackOff";
            Duration wait = Duration.between(now, nextStart);
            waitingMessage = "back-off " + Math.max(0, wait.toSeconds()) + "s restarting failed container="
                    + spec.getName() + " pod=" + pod.title();
            if (now.isBefore(nextStart)) {
                pod.event(
                        "Warning",
                        "BackOff",
                        "Back-off restarting failed container " + spec.getName() + " in pod " + pod.title());
            }
        }
        if (phase == Phase.WAITING && !now.isBefore(nextStart)) {
            tryStart(now);
        }
    }

    /** Takes another image: what runs is told to end, and the next run, which is due at once, is of the new one. */
    void adopt(Container newer, Instant now) {
        if (newer.getImage().equals(spec.getImage())) {
            return;
        }
        spec = newer;
        crashes = 0;
        nextStart = now;
        waitingReason = "ContainerCreating";
        waitingMessage = "";
        if (process != null) {
            replaced = true;
            closeProbes();
            pod.event("Normal", "Killing", "Container " + spec.getName() + " definition changed, will be restarted");
            stop(now.plusSeconds(pod.graceSeconds()));
        }
    }

    private void tryStart(Instant now) {
        Optional<Image> image = pod.host().options().images().find(spec.getImage());
        if (image.isEmpty()) {
            boolean isFirst = !waitingReason.equals("ErrImagePull") && !waitingReason.equals("ImagePullBackOff");
            wait(
                    isFirst ? "ErrImagePull" : "ImagePullBackOff",
                    "there is no image \"" + spec.getImage() + "\" in the local environment");
            nextStart = now.plus(backOff(++crashes));
            if (isFirst) {
                pod.event("Warning", "Failed", "Failed to pull image \"" + spec.getImage() + "\": " + waitingMessage);
            }
            return;
        }
        try {
            start(image.get());
        } catch (NotReadyException e) {
            wait(e.reason(), e.text());
            nextStart = now.plusSeconds(1);
        } catch (IOException e) {
            wait("RunContainerError", e.toString());
            nextStart = now.plus(backOff(++crashes));
            pod.event("Warning", "Failed", "container " + spec.getName() + " can not be started: " + e);
        }
    }

    private void start(Image image) throws IOException, NotReadyException {
        PodRunner.Surroundings surroundings = pod.surroundings(spec, image);
        List<String> command = new ArrayList<>(spec.getCommand().isEmpty() ? image.entrypoint() : spec.getCommand());
        command.addAll(spec.getArgs());
        if (command.isEmpty()) {
            throw new NotReadyException(
                    "RunContainerError", "container " + spec.getName() + " has no command and its image has none");
        }
        List<String> line = command.stream()
                .map(word -> surroundings.paths().translate(ContainerEnvironment.expand(word, surroundings.declared())))
                .toList();
        Path workingDirectory = spec.getWorkingDir() == null
                ? surroundings.home()
                : Path.of(surroundings.paths().translate(spec.getWorkingDir()));
        log.startRun();
        ProcessGroup next = ProcessGroup.start(
                line,
                surroundings.variables(),
                workingDirectory,
                log::copyFrom,
                pod.record(spec.getName()),
                pod.title() + "/" + spec.getName());
        process = next;
        check = new ProbeCheck(spec, pod.address(), surroundings.paths(), surroundings.variables());
        phase = Phase.RUNNING;
        startedAt = Instant.now();
        killAt = Instant.MAX;
        restarts++;
        started = spec.getStartupProbe() == null;
        ready = started && spec.getReadinessProbe() == null;
        next.exit().thenAccept(code -> pod.post(() -> ended(next, code)));
        pod.event("Normal", "Started", "Started container " + spec.getName());
        startProbes();
    }

    private void startProbes() {
        if (started) {
            probe("liveness", spec.getLivenessProbe(), this::onLiveness);
            probe("readiness", spec.getReadinessProbe(), this::onReadiness);
        } else {
            probe("startup", spec.getStartupProbe(), this::onStartup);
        }
    }

    private void probe(String kind, @Nullable Probe probe, BiConsumer<Boolean, String> verdict) {
        ProcessGroup run = process;
        ProbeCheck how = check;
        if (probe == null || how == null) {
            return;
        }
        probes.add(new ProbeLoop(
                pod.title() + "-" + kind,
                probe,
                how,
                (good, problem) -> pod.post(() -> {
                    if (process == run && run != null) {
                        verdict.accept(good, problem);
                    }
                })));
    }

    private void onStartup(boolean good, String problem) {
        closeProbes();
        if (good) {
            started = true;
            ready = spec.getReadinessProbe() == null;
            startProbes();
        } else {
            pod.event("Warning", "Unhealthy", "Startup probe failed: " + problem);
            stopUnhealthy(spec.getStartupProbe(), "startup");
        }
    }

    private void onLiveness(boolean good, String problem) {
        if (!good) {
            pod.event("Warning", "Unhealthy", "Liveness probe failed: " + problem);
            stopUnhealthy(spec.getLivenessProbe(), "liveness");
        }
    }

    private void onReadiness(boolean good, String problem) {
        ready = good;
        if (!good) {
            pod.event("Warning", "Unhealthy", "Readiness probe failed: " + problem);
        }
    }

    private void stopUnhealthy(Probe probe, String kind) {
        closeProbes();
        pod.event("Normal", "Killing", "Container " + spec.getName() + " failed " + kind + " probe, will be restarted");
        Long grace = probe.getTerminationGracePeriodSeconds();
        stop(Instant.now().plusSeconds(grace == null ? pod.graceSeconds() : grace));
    }

    /** Asks the process to end and kills it at {@code deadline}; a later call can only bring the deadline forward. */
    void stop(Instant deadline) {
        ProcessGroup running = process;
        if (running == null) {
            return;
        }
        if (killAt.equals(Instant.MAX)) {
            ProbeCheck how = check;
            var hook = spec.getLifecycle() == null ? null : spec.getLifecycle().getPreStop();
            if (hook == null || how == null) {
                running.signal("TERM");
            } else {
                Thread.ofVirtual().start(() -> {
                    PreStop.run(hook, how, Duration.between(Instant.now(), deadline));
                    running.signal("TERM");
                });
            }
        }
        if (deadline.isBefore(killAt)) {
            killAt = deadline;
        }
    }

    private void ended(ProcessGroup run, int exitCode) {
        if (process != run) {
            return;
        }
        closeProbes();
        process = null;
        check = null;
        phase = Phase.TERMINATED;
        ready = false;
        started = false;
        killAt = Instant.MAX;
        Instant now = Instant.now();
        terminated = ContainerStates.terminated(exitCode, startedAt, now);
        Duration limit = pod.host().options().restartBackOffLimit();
        boolean fresh = replaced || Duration.between(startedAt, now).compareTo(limit.multipliedBy(2)) > 0;
        crashes = fresh ? 0 : crashes;
        nextStart = crashes == 0 ? now : now.plus(backOff(crashes));
        crashes += replaced ? 0 : 1;
        replaced = false;
    }

    private Duration backOff(int failures) {
        KubeletOptions options = pod.host().options();
        Duration wait = options.restartBackOff().multipliedBy(1L << Math.min(failures - 1, BACK_OFF_DOUBLINGS_LIMIT));
        return wait.compareTo(options.restartBackOffLimit()) > 0 ? options.restartBackOffLimit() : wait;
    }

    private void wait(String reason, String message) {
        waitingReason = reason;
        waitingMessage = message;
    }

    void closeProbes() {
        probes.forEach(ProbeLoop::close);
        probes.clear();
    }

    /** When {@link #advance} has something to do next; {@link Instant#MAX} when only events can change anything. */
    Instant nextWork(boolean mayRestart) {
        return switch (phase) {
            case RUNNING -> killAt;
            case WAITING -> nextStart;
            case TERMINATED -> mayRestart ? nextStart : Instant.MAX;
        };
    }

    Container spec() {
        return spec;
    }

    ContainerLog log() {
        return log;
    }

    Phase phase() {
        return phase;
    }

    boolean isReady() {
        return ready;
    }

    boolean isStarted() {
        return started;
    }

    boolean hasRun() {
        return restarts >= 0;
    }

    int restarts() {
        return Math.max(0, restarts);
    }

    Instant startedAt() {
        return startedAt;
    }

    String waitingReason() {
        return waitingReason;
    }

    String waitingMessage() {
        return waitingMessage;
    }

    @Nullable
    ContainerStateTerminated terminated() {
        return phase == Phase.TERMINATED ? terminated : null;
    }

    @Nullable
    ContainerStateTerminated lastTerminated() {
        return lastTerminated;
    }

    /** 0 only after a run that ended well. */
    boolean hasSucceeded() {
        return phase == Phase.TERMINATED && terminated != null && terminated.getExitCode() == 0;
    }
}
