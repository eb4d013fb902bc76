/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.ReadTransaction;
import dev.ratchet.membership.EvacuationFigures;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.SlotFigures;
import dev.ratchet.membership.Trial;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Makes reports of what the store says at one version, and of what this process observed. Holds no state. */
final class ClusterReports {

    private final StoredMembers members;
    private final CoordinatorTable table;
    private final SeatObserver observer;
    private final StoreRecord store;
    private final Keyspace keyspace;
    private final ReleaseFormats formats;
    private final Supplier<CircuitReport> circuit;

    ClusterReports(
            Keyspace keyspace,
            SeatObserver observer,
            StoreRecord store,
            ReleaseFormats formats,
            Supplier<CircuitReport> circuit) {
        this.members = new StoredMembers(keyspace);
        this.table = new CoordinatorTable(keyspace);
        this.observer = observer;
        this.store = store;
        this.keyspace = keyspace;
        this.formats = formats;
        this.circuit = circuit;
    }

    /** A report without seq. */
    CompletableFuture<ClusterReport> read(ReadTransaction transaction) {
        CompletableFuture<CoordinatorRecord> holder = table.holder(transaction);
        CompletableFuture<LayoutRecord> layout = table.layout().read(transaction);
        CompletableFuture<Integer> format = StoreRecord.format(transaction, keyspace);
        CompletableFuture<Map<String, BeatRecord>> beats = members.beats(transaction);
        return members.records(transaction)
                .thenCombine(beats, (records, last) -> clusterReport(StoredMembers.join(records, last))
                        .setFormatCommon(FormatRaise.common(records.values(), formats)))
                .thenCombine(layout, (clusterReport, record) -> clusterReport.setLayout(layout(record)))
                .thenCombine(format, (clusterReport, level) -> clusterReport.setStoreFormat(level))
                .thenCombine(holder, (clusterReport, record) -> clusterReport
                        .setTerm(record.getTerm())
                        .setCoordinatorSeat(record.getSeat())
                        .setCoordinatorAddress(record.getAddress())
                        .build());
    }

    private ClusterReport.Builder clusterReport(List<Member> seats) {
        ClusterReport.Builder clusterReport =
                ClusterReport.newBuilder().setStoreId(store.storeId()).setStoreGeneration(store.generation());
        CircuitReport stands = circuit.get();
        if (!stands.equals(CircuitReport.getDefaultInstance())) {
            clusterReport.setCircuit(stands);
        }
        return clusterReport.addAllWorkers(workers(seats));
    }

    /** Whether the circuit is in another state than {@code clusterReport} says; its figures change with every step. */
    boolean circuitChangedSince(ClusterReport clusterReport) {
        return !essence(circuit.get()).equals(essence(clusterReport.getCircuit()));
    }

    private static CircuitReport essence(CircuitReport report) {
        return CircuitReport.newBuilder()
                .setState(report.getState())
                .setMessage(report.getMessage())
                .setProgramDigest(report.getProgramDigest())
                .build();
    }

    /** What a report says of these. */
    List<ReportedWorker> workers(List<Member> seats) {
        return seats.stream().map(this::worker).toList();
    }

    private ReportedWorker worker(Member member) {
        Inventory holds = member.holds();
        ReportedWorker.Builder reported = ReportedWorker.newBuilder()
                .setSeat(member.seat())
                .setIncarnation(member.incarnation())
                .setState(state(member))
                .setHost(member.host())
                .setPodUid(member.podUid())
                .setAddress(member.address())
                .setVersion(member.version())
                .setInventory(dev.ratchet.protocol.coordinator.v1.Inventory.newBuilder()
                        .setFutures(holds.futures())
                        .setObjects(holds.objects())
                        .setActors(holds.actors())
                        .setSessions(holds.sessions())
                        .setShards(holds.shards()))
                .setDrained(member.drained())
                .setParks(member.parks())
                .setParked(member.isParked());
        Map<String, Long> said = member.freeResources();
        if (said.containsKey(Trial.CANARY)) {
            reported.getTrialBuilder()
                    .setCanaryPassed(said.getOrDefault(Trial.CANARY, 0L) == 1)
                    .setEnded(said.getOrDefault(Trial.ENDED, 0L))
                    .setFailed(said.getOrDefault(Trial.FAILED, 0L))
                    .setBroken(said.getOrDefault(Trial.BROKEN, 0L));
        }
        if (said.containsKey(EvacuationFigures.BOUND)) {
            reported.getEvacuationBuilder()
                    .setMovedBytes(said.getOrDefault(EvacuationFigures.MOVED, 0L))
                    .setBoundBytes(said.getOrDefault(EvacuationFigures.BOUND, 0L));
        }
        SlotFigures.each(said, (name, figure) -> reported.addSlotsBuilder()
                .setName(name)
                .setCapacity(figure.capacity())
                .setHeld(figure.held())
                .setWaiting(figure.waiting()));
        return reported.build();
    }

    /** What a worker says of itself, unless it has been silent for so long that it should not be believed. */
    private dev.ratchet.protocol.coordinator.v1.WorkerState state(Member member) {
        WorkerState said = member.state();
        boolean silent = said == WorkerState.HEALTHY && observer.isSilent(member.seat(), member.incarnation());
        return switch (silent ? WorkerState.UNHEALTHY : said) {
            case NEW -> dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_NEW;
            case UNHEALTHY -> dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_UNHEALTHY;
            case HEALTHY -> dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_HEALTHY;
            case DRAINING -> dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_DRAINING;
            case MUST_DIE -> dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_MUST_DIE;
        };
    }

    /** The layout as the operator gave it. */
    static Layout layout(LayoutRecord record) {
        return Layout.newBuilder()
                .setEpoch(record.getEpoch())
                .setDigest(record.getDigest())
                .addAllSeats(record.getSeatsList())
                .build();
    }

    /** The layout as it is stored. */
    static LayoutRecord record(Layout layout) {
        return LayoutRecord.newBuilder()
                .setEpoch(layout.getEpoch())
                .setDigest(layout.getDigest())
                .addAllSeats(layout.getSeatsList())
                .build();
    }
}
