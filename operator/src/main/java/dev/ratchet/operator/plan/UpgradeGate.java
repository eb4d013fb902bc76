/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.UpgradeGates;
import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.operator.observe.ImageReplacement;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.status.PodTrouble;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owns the judgement of workers that were upgraded: whether the next may follow, and whether to give up. All times come
 * from what the API server keeps, so that an operator that was started anew judges as the one before.
 *
 * @param open all of them work, and have for long enough
 * @param failed why to give up; empty while there is hope
 * @param lookAt when time alone may change the judgement
 */
record UpgradeGate(boolean open, Optional<String> failed, Optional<Instant> lookAt) {
    private static final int LOOK_SECONDS = 20;

    /**
     * The judgement of {@code seats}.
     *
     * @param since when they were put into force, or proposed
     * @param stableMillis how long they must have worked
     */
    static UpgradeGate judge(
            Snapshot snapshot, Collection<String> seats, Instant since, UpgradeGates gates, long stableMillis) {
        Instant from = since;
        for (String seat : seats) {
            Optional<Instant> works = worksSince(snapshot, seat);
            if (works.isEmpty()) {
                Instant end = later(since, stoppedAt(snapshot, seat)).plusMillis(gates.timeoutMillis);
                String awaited = awaited(snapshot, seat);
                return snapshot.now().isBefore(end)
                        ? new UpgradeGate(false, Optional.empty(), Optional.of(end))
                        : failed(awaited + ", for longer than spec.upgrade.gates.timeoutMillis");
            }
            from = later(from, works.get());
        }
        Instant opens = from.plus(Duration.ofMillis(stableMillis));
        boolean open = seats.isEmpty() || !snapshot.now().isBefore(opens);
        // What the workers say of the last minute is looked at in time.
        Instant soon = snapshot.now().plusSeconds(LOOK_SECONDS);
        Instant lookAt = opens.isBefore(soon) ? opens : soon;
        return new UpgradeGate(open, Optional.empty(), open ? Optional.empty() : Optional.of(lookAt));
    }

    /**
     * Whether a worker that no layout has yet has proved itself as far as it can: its process runs and has taken the
     * seat. Only a layout lets it work.
     */
    static boolean isProved(Snapshot snapshot, String seat, String revision) {
        Pod pod = snapshot.pods().get(seat);
        if (pod == null
                || PodFacts.isTerminating(pod)
                || !PodFacts.revision(pod).equals(revision)) {
            return false;
        }
        return report(snapshot, pod)
                .filter(said ->
                        said.state() == ReportedWorkerState.DRAINING || said.state() == ReportedWorkerState.HEALTHY)
                .filter(said -> said.trial().canaryPassed())
                .filter(said -> ImageReplacement.of(pod)
                        .filter(before -> !before.isProvedBy(said))
                        .isEmpty())
                .isPresent();
    }

    /**
     * Why to give up on workers that no layout in force has yet; empty while there is hope.
     *
     * @param since when they were proposed
     */
    static Optional<String> failureOfJoiners(
            Snapshot snapshot, Collection<String> seats, String revision, Instant since, UpgradeGates gates) {
        boolean late = !snapshot.now().isBefore(since.plusMillis(gates.timeoutMillis));
        return seats.stream()
                .filter(seat -> late && !isProved(snapshot, seat, revision))
                .map(seat -> awaited(snapshot, seat) + ", for longer than spec.upgrade.gates.timeoutMillis")
                .findFirst();
    }

    /**
     * Why to give up on {@code revision}, which is tried, for the restarts of its pods; empty while they are borne.
     * What a pod did before its image is changed says nothing about it.
     */
    static Optional<String> restarted(
            Snapshot snapshot, Collection<String> seats, String revision, UpgradeGates gates) {
        return seats.stream()
                .filter(seat -> restarts(snapshot.pods().get(seat), revision) > gates.maxRestarts)
                .map(seat -> "the container of pod " + seat + " has restarted more often than"
                        + " spec.upgrade.gates.maxRestarts allows"
                        + whyItEnded(snapshot.pods().get(seat)))
                .findFirst();
    }

    private static String whyItEnded(@Nullable Pod pod) {
        if (pod == null) {
            return "";
        }
        return PodFacts.ranOutOfMemory(pod)
                ? " (it took more memory than its limit and was killed)"
                : PodFacts.lastWords(pod).map(why -> " (" + why + ")").orElse("");
    }

    private static String awaited(Snapshot snapshot, String seat) {
        return Optional.ofNullable(snapshot.pods().get(seat))
                .flatMap(PodTrouble::of)
                .or(() -> unproved(snapshot, seat))
                .orElse("worker " + seat + " is not ready");
    }

    /** What a worker that has its seat still owes. */
    private static Optional<String> unproved(Snapshot snapshot, String seat) {
        Optional<Pod> found = Optional.ofNullable(snapshot.pods().get(seat));
        if (found.flatMap(pod -> report(snapshot, pod))
                .filter(said -> !said.trial().canaryPassed())
                .isPresent()) {
            return Optional.of("worker " + seat + " has its seat and has not executed its canary");
        }
        return found.flatMap(pod -> ImageReplacement.of(pod).flatMap(before -> report(snapshot, pod)
                .filter(said -> !before.isProvedBy(said))
                .map(said -> "worker " + seat + " is incarnation " + said.incarnation() + " of release "
                        + said.version() + ", and one above " + before.incarnation() + " of release "
                        + before.version() + " is awaited")));
    }

    private static UpgradeGate failed(String why) {
        return new UpgradeGate(false, Optional.of(why), Optional.empty());
    }

    private static Optional<Instant> worksSince(Snapshot snapshot, String seat) {
        Pod pod = snapshot.pods().get(seat);
        boolean works = pod != null
                && PodFacts.isReady(pod)
                && report(snapshot, pod)
                        .filter(said -> said.state() == ReportedWorkerState.HEALTHY)
                        .isPresent();
        return works ? readySince(snapshot, seat, "True") : Optional.empty();
    }

    private static Instant stoppedAt(Snapshot snapshot, String seat) {
        return readySince(snapshot, seat, "False").orElse(Instant.EPOCH);
    }

    private static Optional<Instant> readySince(Snapshot snapshot, String seat, String status) {
        ComputeWorker worker = snapshot.workers().get(seat);
        return worker == null || worker.getStatus() == null
                ? Optional.empty()
                : Conditions.find(worker.getStatus().conditions, ConditionType.READY)
                        .filter(condition -> status.equals(condition.getStatus()))
                        .map(Condition::getLastTransitionTime)
                        .map(Instant::parse);
    }

    private static Optional<WorkerReport> report(Snapshot snapshot, Pod pod) {
        return snapshot.clusterReport()
                .flatMap(said -> said.worker(pod.getMetadata().getName()))
                .filter(said -> said.podUid().equals(pod.getMetadata().getUid()));
    }

    private static int restarts(@Nullable Pod pod, String revision) {
        if (pod == null || !PodFacts.revision(pod).equals(revision)) {
            return 0;
        }
        int all = PodFacts.restarts(pod, Names.WORKER_CONTAINER);
        // A first process that got no answer from the store is no fault of its revision; the next one waits.
        int restarts = PodFacts.waitsForStore(pod) ? all - 1 : all;
        // Nor is the one that the change of the image took.
        return ImageReplacement.of(pod)
                .map(before -> Math.max(0, restarts - before.restarts() - 1))
                .orElse(restarts);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
