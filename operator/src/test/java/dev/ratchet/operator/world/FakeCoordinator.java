/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.world;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.worker.ReportedWorkerState;
import dev.ratchet.operator.model.LayoutResources;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the store of a cluster knows: the layout in force and the seats. It outlives every process. */
public final class FakeCoordinator {
    /** One seat; mutable. */
    static final class Seat {
        long incarnation;
        String podUid = "";
        String version = "0.1.0";
        boolean alive;
        boolean drained;
        long runs;
        long holds;
        /** What it gave to others since it began to drain; each is of one byte. */
        long moved;

        long ended;
        long failed;
        long broken;
        boolean parked;
        List<WorkerReport.Slots> slots = List.of();
    }

    /** What the worker says of its slots from now on. */
    public void slots(String seat, WorkerReport.Slots... slots) {
        seats.get(seat).slots = List.of(slots);
    }

    /** Whether processes execute their canaries. */
    public boolean canariesPass = true;

    /** So many attempts ended on the worker in the last minute, and so many of them failed. */
    public void attempts(String seat, long ended, long failed, long broken) {
        seats.get(seat).ended = ended;
        seats.get(seat).failed = failed;
        seats.get(seat).broken = broken;
    }

    final Map<String, Seat> seats = new TreeMap<>();
    private CoordinatorReport.InForce layout = new CoordinatorReport.InForce(0, "", Set.of());
    /** The id of the store that answers. */
    public String storeId = "store-id";

    /** Recorded level of formats. */
    public int storeFormat = 1;

    /** What all workers read. */
    public int formatCommon = 1;

    /** How the circuit stands; empty while the workers have read of none. */
    public Optional<CircuitReport> circuit = Optional.empty();

    /** Whether the workers know how to park. */
    public boolean parks = true;

    /** Workers do not come to an end with parking. */
    public boolean parkingHangs;

    /** The seats that are to park, as told last. */
    public Map<String, Long> parking = Map.of();

    private long term = 1;
    private long seq;

    /** Another store, with nothing in it. */
    void startEmpty(String id) {
        seats.clear();
        layout = new CoordinatorReport.InForce(0, "", Set.of());
        storeId = id;
        term = 1;
        seq = 0;
    }

    /** Records that the dead hold nothing, as the real one does once others took over their work; in force or not. */
    public void markTheDeadAsDrained() {
        seats.values().stream().filter(seat -> !seat.alive).forEach(seat -> {
            seat.holds = 0;
            seat.runs = 0;
            seat.drained = true;
        });
    }

    /** The worker holds something again, though it said that it holds nothing. */
    public void refill(String name) {
        seats.get(name).drained = false;
        seats.get(name).holds = 1;
    }

    /** Another coordinator. */
    public void newTerm() {
        term++;
        seq = 0;
    }

    void take(String name, String podUid, long holds, String version) {
        Seat seat = seats.computeIfAbsent(name, key -> new Seat());
        if (!seat.podUid.equals(podUid) || !seat.alive) {
            seat.incarnation++;
            seat.podUid = podUid;
            seat.version = version;
            seat.alive = true;
            seat.drained = false;
            seat.parked = false;
            seat.runs = 0;
            seat.holds = holds;
            seat.moved = 0;
        }
    }

    /** The lease of the seat is over. */
    public void end(String name) {
        Seat seat = seats.get(name);
        if (seat != null) {
            seat.alive = false;
        }
    }

    boolean isDraining(String name) {
        return layout.epoch() > 0 && !layout.seats().contains(name);
    }

    public CoordinatorReport.InForce layout() {
        return layout;
    }

    /** Somebody wrote the layout in force anew. */
    public void putIntoForce(ComputeLayout layout) {
        this.layout =
                new CoordinatorReport.InForce(this.layout.epoch(), LayoutResources.digest(layout), this.layout.seats());
    }

    /** Carries out what the operator wants, as the real one does: by compare-and-set. */
    void obey(Commands commands) {
        seats.forEach((name, seat) ->
                seat.parked = parks && !parkingHangs && commands.parking().getOrDefault(name, 0L) == seat.incarnation);
        parking = commands.parking();
        commands.commit().filter(commit -> commit.fromEpoch() == layout.epoch()).ifPresent(commit -> {
            layout = new CoordinatorReport.InForce(commit.epoch(), commit.digest(), commit.seats());
            seats.forEach((name, seat) -> seat.drained &= isDraining(name));
        });
        commands.raise()
                .filter(raise -> raise.storeId().equals(storeId) && raise.level() <= formatCommon)
                .ifPresent(raise -> storeFormat = Math.max(storeFormat, raise.level()));
    }

    /** What is said now, if a worker lives to say it. */
    Optional<CoordinatorReport> clusterReport() {
        Optional<String> speaker = seats.entrySet().stream()
                .filter(entry -> entry.getValue().alive)
                .map(Map.Entry::getKey)
                .findFirst();
        Map<String, WorkerReport> reports = new TreeMap<>();
        seats.forEach((name, seat) -> reports.put(
                name,
                new WorkerReport(
                        name,
                        seat.incarnation,
                        !seat.alive
                                ? ReportedWorkerState.MUST_DIE
                                : isDraining(name) || seat.parked
                                        ? ReportedWorkerState.DRAINING
                                        : ReportedWorkerState.HEALTHY,
                        "node",
                        seat.podUid,
                        "",
                        seat.version,
                        new WorkerReport.Held(seat.runs, seat.holds, 0, 0, 0),
                        seat.drained,
                        parks,
                        seat.parked,
                        new WorkerReport.Trial(canariesPass, seat.ended, seat.failed, seat.broken),
                        seat.slots,
                        isDraining(name)
                                ? new WorkerReport.Evacuation(seat.moved, seat.moved + seat.holds)
                                : WorkerReport.Evacuation.NONE)));
        return speaker.map(name ->
                new CoordinatorReport(term, ++seq, name, layout, reports, storeId, storeFormat, formatCommon, circuit));
    }
}
