/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import dev.ratchet.crds.ComputeWorker;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * Owns which seats come and which go. Coming: those that are leaving but still there, because they hold what would have
 * to move back; then the lowest free numbers. Going: those that people drain; then those that do not work; then those
 * of which least must move to others; then the highest numbers. What a seat runs at the moment does not count: that
 * changes from one report to the next, ends where it is and would make the choice a matter of luck. Seats are never
 * renumbered.
 */
final class SeatChooser {
    private final Snapshot snapshot;

    SeatChooser(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * {@code count} seats, as many as possible of them from {@code base}; empty if some must go and nobody can say what
     * they hold. Who is leaving may stay only with {@code revision}.
     */
    Optional<NavigableSet<String>> choose(NavigableSet<String> base, int count, String revision) {
        NavigableSet<String> chosen = Seats.copy(base);
        if (count >= chosen.size()) {
            add(chosen, count, revision);
            return Optional.of(chosen);
        }
        if (count > 0 && snapshot.clusterReport().isEmpty() && anyStarted(chosen)) {
            return Optional.empty();
        }
        List<String> leaving = chosen.stream()
                .sorted(leavingFirst())
                .limit(chosen.size() - (long) count)
                .toList();
        leaving.forEach(chosen::remove);
        return Optional.of(chosen);
    }

    /** {@code count} seats that nobody has or is leaving. */
    NavigableSet<String> newSeats(Set<String> taken, int count) {
        NavigableSet<String> fresh = Seats.empty();
        for (int ordinal = 0; fresh.size() < count; ordinal++) {
            String seat = Seats.name(snapshot.name(), ordinal);
            if (!taken.contains(seat) && !snapshot.workers().containsKey(seat)) {
                fresh.add(seat);
            }
        }
        return fresh;
    }

    /**
     * {@code count} of {@code seats}: those of {@code rather} before others, and the coordinator after all of them,
     * because the office changes hands when its worker goes.
     */
    List<String> leaving(Set<String> seats, Set<String> rather, int count) {
        String coordinator =
                snapshot.clusterReport().map(CoordinatorReport::coordinatorSeat).orElse("");
        return seats.stream()
                .sorted(Comparator.comparing((String seat) -> !rather.contains(seat))
                        .thenComparing(coordinator::equals)
                        .thenComparing(leavingFirst()))
                .limit(count)
                .toList();
    }

    private void add(NavigableSet<String> chosen, int count, String revision) {
        Iterator<String> leaving = snapshot.workers().keySet().stream()
                .filter(seat -> !chosen.contains(seat) && !isGoing(seat) && hasRevision(seat, revision))
                .sorted(Seats.BY_NUMBER)
                .iterator();
        while (chosen.size() < count && leaving.hasNext()) {
            chosen.add(leaving.next());
        }
        for (int ordinal = 0; chosen.size() < count; ordinal++) {
            String seat = Seats.name(snapshot.name(), ordinal);
            if (!snapshot.workers().containsKey(seat)) {
                chosen.add(seat);
            }
        }
    }

    private boolean hasRevision(String seat, String revision) {
        ComputeWorker worker = snapshot.workers().get(seat);
        return worker != null && worker.getSpec().revision.equals(revision);
    }

    /** Its pod was told to end, or its resource was deleted: too late to stay. */
    private boolean isGoing(String seat) {
        ComputeWorker worker = snapshot.workers().get(seat);
        Pod pod = snapshot.pods().get(seat);
        return (worker != null && worker.getMetadata().getDeletionTimestamp() != null)
                || pod == null
                || PodFacts.isTerminating(pod);
    }

    private boolean anyStarted(NavigableSet<String> seats) {
        return seats.stream()
                .map(seat -> snapshot.pods().get(seat))
                .anyMatch(pod -> pod != null && !PodFacts.neverStarted(pod));
    }

    private Comparator<String> leavingFirst() {
        return Comparator.comparing((String seat) -> !isDrainedByPeople(seat))
                .thenComparing(this::isReady)
                .thenComparing(this::moving)
                .thenComparing(Seats.BY_NUMBER.reversed());
    }

    private boolean isDrainedByPeople(String seat) {
        ComputeWorker worker = snapshot.workers().get(seat);
        return worker != null && Boolean.TRUE.equals(worker.getSpec().drain);
    }

    private boolean isReady(String seat) {
        Pod pod = snapshot.pods().get(seat);
        return pod != null && PodFacts.isReady(pod);
    }

    private long moving(String seat) {
        Optional<CoordinatorReport> clusterReport = snapshot.clusterReport();
        return clusterReport
                .flatMap(said -> said.worker(seat))
                .map(WorkerReport::holds)
                .map(WorkerReport.Held::moving)
                .orElse(0L);
    }
}
