/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.KeyValue;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.coordinator.ClusterReportStream;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.CircuitState;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorTest {

    private SimulatedCluster cluster;
    private SimulatedWorker first;
    private SimulatedWorker second;
    private SimulatedWorker leader;
    private final List<ClusterReport> clusterReports = new ArrayList<>();
    private final List<Long> arrivals = new ArrayList<>();

    @BeforeEach
    void twoWorkersAndAWatcher() {
        cluster = new SimulatedCluster(11);
        first = cluster.start("orders-w-0");
        second = cluster.start("orders-w-1");
        cluster.world.until(
                "there is a coordinator and both are healthy",
                4_000,
                () -> cluster.coordinator().isPresent() && first.isHealthy() && second.isHealthy());
        leader = cluster.coordinator().orElseThrow();
        assertThat(leader.coordinator().subscribe(new ClusterReportStream.Subscriber() {
                    @Override
                    public void next(ClusterReport clusterReport) {
                        clusterReports.add(clusterReport);
                        arrivals.add(cluster.world.nanos() / 1_000_000);
                    }

                    @Override
                    public void end() {
                        arrivals.add(-1L);
                    }
                }))
                .isTrue();
        cluster.world.until("the first report comes", 100, () -> !clusterReports.isEmpty());
    }

    @Test
    void statementsComeAtOnceInOrderAndNeverMoreThanFiveSecondsApart() {
        cluster.world.run(60_000);
        ClusterReport clusterReport = clusterReports.get(0);
        assertThat(clusterReport.getStoreId()).isEqualTo(cluster.store.storeId());
        assertThat(clusterReport.getStoreFormat()).isEqualTo(VersionRange.FORMATS.newest());
        assertThat(clusterReport.getWorkersList())
                .extracting(ReportedWorker::getSeat)
                .containsExactly("orders-w-0", "orders-w-1");
        for (int i = 1; i < clusterReports.size(); i++) {
            assertThat(clusterReports.get(i).getSeq())
                    .isEqualTo(clusterReports.get(i - 1).getSeq() + 1);
            assertThat(arrivals.get(i) - arrivals.get(i - 1)).isLessThanOrEqualTo(6_100);
        }
        assertThat(clusterReports.size()).isBetween(10, 20);
    }

    @Test
    void aLayoutIsCommittedOnceAndOnlyUponTheOneInForce() {
        assertThat(commit(0, 1, "a", "orders-w-0", "orders-w-1").getCommitted()).isTrue();
        assertThat(commit(0, 1, "a", "orders-w-0", "orders-w-1").getCommitted())
                .as("repeated")
                .isTrue();
        CommitLayoutReply other = commit(0, 2, "b", "orders-w-0");
        assertThat(other.getCommitted()).isFalse();
        assertThat(other.getInForce().getEpoch()).isEqualTo(1);
        assertThat(commit(1, 1, "b", "orders-w-0").getCommitted())
                .as("same epoch, other digest")
                .isFalse();
        assertThat(commit(1, 2, "b", "orders-w-0", "orders-w-1").getCommitted()).isTrue();
        cluster.world.until("a report says so", 1_000, () -> last().getLayout().getEpoch() == 2);
    }

    @Test
    void aSeatThatTheLayoutLacksDrainsAndIsProvedEmptyOnlyWhenItIs() {
        SimulatedWorker leaving = leader == first ? second : first;
        cluster.await(leaving.toy().claim("f1"));
        assertThat(commit(0, 1, "a", leader.seat().name()).getCommitted()).isTrue();
        cluster.world.until("it drains", 1_000, () -> leaving.state() == WorkerState.DRAINING);
        cluster.world.run(10_000);
        assertThat(worker(leaving).getDrained()).isFalse();
        assertThat(worker(leaving).getInventory().getFutures()).isEqualTo(1);
        assertThatThrownBy(() -> cluster.await(leaving.toy().claim("f2"))).isNotNull();
        cluster.await(leaving.toy().finish("f1"));
        cluster.world.until("the proof is stated", 1_000, () -> worker(leaving).getDrained());
        assertThat(leader.isHealthy()).isTrue();
    }

    @Test
    void aClaimThatOnlyTheStoreKnowsOfPreventsTheProof() {
        SimulatedWorker leaving = leader == first ? second : first;
        cluster.await(leaving.toy().claim("f1"));
        leaving.toy().forget("f1");
        drain(leaving.seat().name());
        cluster.world.run(20_000);
        assertThat(leaving.state()).isEqualTo(WorkerState.DRAINING);
        assertThat(worker(leaving).getDrained()).isFalse();
        cluster.await(leaving.toy().takeOver(leaving.seat().name()));
        cluster.world.until(
                "the seat is proved empty", 5_000, () -> worker(leaving).getDrained());
    }

    @Test
    void aSeatThatNoLayoutHasIsNeverHealthyUntilOneHasIt() {
        assertThat(commit(0, 1, "a", "orders-w-0", "orders-w-1").getCommitted()).isTrue();
        List<WorkerState> states = new ArrayList<>();
        SimulatedWorker early = cluster.start("orders-w-2");
        early.seat().addListener((state, reason) -> states.add(state));
        leader.process().pause();
        cluster.world.run(4_000);
        assertThat(states).as("while nobody tells it to drain").containsExactly(WorkerState.UNHEALTHY);
        leader.process().resume();
        cluster.world.run(10_000);
        assertThat(states).isNotEmpty().doesNotContain(WorkerState.HEALTHY);
        assertThat(worker(early).getDrained()).isTrue();
        assertThat(commit(1, 2, "b", "orders-w-0", "orders-w-1", "orders-w-2").getCommitted())
                .isTrue();
        cluster.world.until("it works", 1_000, early::isHealthy);
    }

    @Test
    void whatIsOrderedIsNewsToWhoeverLooksAtTheSeatsThoughNoneHasChanged() {
        long before = membersVersion();
        drain("orders-w-9");
        long ordered = membersVersion();
        assertThat(ordered).isGreaterThan(before);
        drain("orders-w-9");
        assertThat(membersVersion()).as("repeated").isEqualTo(ordered);
        assertThat(commit(0, 1, "a", "orders-w-0", "orders-w-1").getCommitted()).isTrue();
        assertThat(membersVersion()).isGreaterThan(ordered);
    }

    private long membersVersion() {
        return cluster.await(
                cluster.database.readAsync(transaction -> new StoredMembers(cluster.keyspace).version(transaction)));
    }

    @Test
    void aDrainCanBeCalledOff() {
        cluster.await(first.toy().claim("f1"));
        drain("orders-w-0");
        cluster.world.until("it drains", 1_000, () -> first.state() == WorkerState.DRAINING);
        drain();
        cluster.world.until("it works again", 1_000, first::isHealthy);
        cluster.await(first.toy().claim("f2"));
        assertThat(worker(first).getDrained()).isFalse();
        cluster.world.run(10_000);
        assertThat(first.toy().claimed()).as("its time is over").containsExactlyInAnyOrder("f1", "f2");
    }

    @Test
    void aWorkerThatLeavesDoesSoAlthoughItsDrainIsCalledOff() {
        SimulatedWorker leaving = leader == first ? second : first;
        cluster.await(leaving.toy().claim("f1"));
        drain(leaving.name());
        cluster.world.until("it drains", 1_000, () -> leaving.state() == WorkerState.DRAINING);
        CompletableFuture<Boolean> left = leaving.leave(5_000);
        drain();
        cluster.world.run(3_000);
        assertThat(leaving.state()).isEqualTo(WorkerState.DRAINING);
        assertThat(cluster.await(left)).isTrue();
    }

    @Test
    void whatOnlyTheWorkerKnowsOfPreventsTheProofAsLongAsItCanNotLetGo() {
        SimulatedWorker leaving = leader == first ? second : first;
        cluster.await(leaving.toy().claim("f1"));
        cluster.await(leader.toy().takeOver(leaving.name()));
        leaving.toy().failDrains(true);
        drain(leaving.name());
        cluster.world.run(20_000);
        assertThat(leaving.state()).isEqualTo(WorkerState.DRAINING);
        assertThat(worker(leaving).getDrained()).isFalse();
        leaving.toy().failDrains(false);
        cluster.world.until(
                "the seat is proved empty", 8_000, () -> worker(leaving).getDrained());
    }

    @Test
    void afterTheDrainTimeoutWhatRunsIsGivenBack() {
        cluster.await(first.toy().claim("f1"));
        drain("orders-w-0");
        long waited = cluster.world.until(
                "the seat is proved empty", 8_000, () -> worker(first).getDrained());
        assertThat(waited).isGreaterThanOrEqualTo(4_900);
    }

    @Test
    void aDrainIsRememberedByTheSeatAfterItsProcessWasKilled() {
        SimulatedWorker drained = leader == first ? second : first;
        drain(drained.seat().name());
        cluster.world.until("it drains", 1_000, () -> drained.state() == WorkerState.DRAINING);
        drained.kill();
        SimulatedWorker again =
                cluster.start(drained.seat().name(), "pod-" + drained.seat().name(), 2, drained.address(), 0);
        cluster.world.until("it drains again", 2_000, () -> again.state() == WorkerState.DRAINING);
        assertThatThrownBy(() -> cluster.await(again.toy().claim("f1"))).isNotNull();
    }

    @Test
    void aDeadSeatIsDrainedOnceOthersHaveTakenOverWhatItHeld() {
        SimulatedWorker dead = leader == first ? second : first;
        cluster.await(dead.toy().claim("f1"));
        dead.kill();
        cluster.world.until(
                "it is stated dead",
                7_000,
                () -> worker(dead).getState() == dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_MUST_DIE);
        cluster.world.run(5_000);
        assertThat(worker(dead).getDrained()).isFalse();
        cluster.await(leader.toy().takeOver(dead.seat().name()));
        cluster.world.until("it is stated drained", 5_000, () -> worker(dead).getDrained());
    }

    @Test
    void aWorkerThatFallsSilentIsStatedUnhealthyBeforeItIsDead() {
        SimulatedWorker silent = leader == first ? second : first;
        cluster.cutProbes();
        silent.process().pause();
        cluster.world.until(
                "it is stated unhealthy",
                10_000,
                () -> worker(silent).getState()
                        == dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_UNHEALTHY);
        assertThat(leader.membership().liveness().isDead(silent.seat().name(), 1))
                .isFalse();
        silent.process().resume();
        cluster.world.until(
                "it beats and is stated healthy",
                5_000,
                () -> worker(silent).getState()
                        == dev.ratchet.protocol.coordinator.v1.WorkerState.WORKER_STATE_HEALTHY);
        assertThat(worker(silent).getIncarnation()).isEqualTo(1);
    }

    @Test
    void whoIsNotTheCoordinatorRefusesCommandsWithTheWay() {
        SimulatedWorker other = leader == first ? second : first;
        cluster.world.run(SimulatedCluster.LEASE.beatMillis());
        assertThatThrownBy(() -> cluster.await(other.coordinator().clearStore(cluster.store.storeId())))
                .hasMessageContaining("Not the coordinator")
                .hasMessageContaining("address=" + leader.address());
    }

    @Test
    void aStoreIsClearedOnlyByItsOwnIdAndEndsAllItsWorkers() {
        assertThatThrownBy(() -> cluster.await(leader.coordinator().clearStore("another")))
                .hasMessageContaining("nothing was removed");
        cluster.await(leader.coordinator().clearStore(cluster.store.storeId()));
        cluster.world.until("all workers end", 5_000, () -> first.isGone() && second.isGone());
        assertThat(first.lostReason()).isEqualTo("the store was cleared");
        assertThat(arrivals).endsWith(-1L);
        cluster.world.run(30_000);
        List<KeyValue> rows = cluster.await(cluster.database.readAsync(transaction ->
                transaction.getRange(cluster.keyspace.root().range()).asList()));
        assertThat(rows).isEmpty();
    }

    @Test
    void aCircuitIsStatedWhenItsStateChangesAndItsFiguresOnlyWithTheNextClusterReport() {
        assertThat(last().hasCircuit()).as("without a circuit").isFalse();
        AtomicReference<CircuitReport> circuit = new AtomicReference<>(CircuitReport.getDefaultInstance());
        leader.membership().reportCircuit(circuit::get);
        circuit.set(circuit(CircuitState.CIRCUIT_STATE_RECOVERING, 0));
        cluster.world.until("it is stated", SimulatedCluster.LEASE.beatMillis() * 2, () -> last().getCircuit()
                .equals(circuit.get()));
        circuit.set(circuit(CircuitState.CIRCUIT_STATE_RUNNING, 1));
        cluster.world.until("it is stated", SimulatedCluster.LEASE.beatMillis() * 2, () -> last().getCircuit()
                .equals(circuit.get()));
        int before = clusterReports.size();
        circuit.set(circuit(CircuitState.CIRCUIT_STATE_RUNNING, 2));
        cluster.world.run(30_000);
        assertThat(last().getCircuit().getStep()).isEqualTo(2);
        assertThat(clusterReports.size() - before).isLessThanOrEqualTo(13);
    }

    private static CircuitReport circuit(CircuitState state, long step) {
        return CircuitReport.newBuilder()
                .setState(state)
                .setStep(step)
                .putReceivedRows("orders", step)
                .build();
    }

    private CommitLayoutReply commit(long from, long epoch, String digest, String... seats) {
        return cluster.await(leader.coordinator()
                .commitLayout(CommitLayoutRequest.newBuilder()
                        .setFromEpoch(from)
                        .setLayout(Layout.newBuilder()
                                .setEpoch(epoch)
                                .setDigest(digest)
                                .addAllSeats(List.of(seats)))
                        .build()));
    }

    @Test
    void everyWorkerKnowsSoonWhichSeatsAnUpgradeReplacesLaterAndTheseWorkOn() {
        for (Set<String> outgoing : List.of(Set.of("orders-w-0"), Set.<String>of())) {
            cluster.await(leader.coordinator()
                    .setDraining(SetDrainingRequest.newBuilder()
                            .addAllOutgoing(outgoing)
                            .setDrainTimeoutMillis(5_000)
                            .build()));
            cluster.world.until("both know of " + outgoing, 6_000, () -> Stream.of(first, second)
                    .allMatch(
                            worker -> worker.membership().liveness().outgoing().equals(outgoing)));
            assertThat(first.isHealthy()).isTrue();
        }
    }

    @Test
    void aSeatThatIsToParkIsProvedToHaveParkedOnceItHasNoClaimsAndWorksAgainWhenThatIsTakenBack() {
        SimulatedWorker parking = leader == first ? second : first;
        cluster.await(parking.toy().claim("f1"));
        park(parking.name(), 1);
        cluster.world.until("it takes no work", 1_000, () -> parking.state() == WorkerState.DRAINING);
        cluster.world.run(2_000);
        assertThat(worker(parking).getParked()).isFalse();
        assertThatThrownBy(() -> cluster.await(parking.toy().claim("f2"))).isNotNull();
        cluster.await(parking.toy().finish("f1"));
        cluster.world.until("the proof is stated", 1_000, () -> worker(parking).getParked());
        assertThat(worker(parking).getParks()).isTrue();
        assertThat(worker(parking).getDrained()).as("it may hold something").isFalse();
        drain();
        cluster.world.until("it works again", 4_000, parking::isHealthy);
        cluster.world.until("that is stated", 4_000, () -> !worker(parking).getParked());
    }

    @Test
    void theNextProcessOfAParkedSeatDoesNotParkAndIsAwaitedUntilItHasSettled() {
        SimulatedWorker parking = leader == first ? second : first;
        park(parking.name(), 1);
        cluster.world.until("the proof is stated", 4_000, () -> worker(parking).getParked());
        cluster.await(parking.leave(5_000));
        assertThat(cluster.member(parking.name()).parkedIncarnation()).isEqualTo(1);
        SimulatedWorker next = cluster.start(parking.name(), "pod-" + parking.name(), 2, parking.address(), 0);
        next.toy().failSettling(true);
        cluster.world.until(
                "it has the seat", 4_000, () -> cluster.member(parking.name()).incarnation() == 2);
        cluster.world.run(2_000);
        assertThat(cluster.member(parking.name()).parkedIncarnation()).isEqualTo(1);
        next.toy().failSettling(false);
        cluster.world.until("it works", 20_000, next::isHealthy);
        assertThat(cluster.member(parking.name()).parkedIncarnation()).isZero();
    }

    @Test
    void nobodyIsAwaitedAnyMoreWhenTheOrderToParkIsTakenBackFromADeadSeat() {
        SimulatedWorker parking = leader == first ? second : first;
        park(parking.name(), 1);
        cluster.world.until("the proof is stated", 4_000, () -> worker(parking).getParked());
        parking.kill();
        cluster.world.run(20_000);
        assertThat(cluster.member(parking.name()).parkedIncarnation()).isEqualTo(1);
        drain();
        cluster.world.until(
                "that is recorded", 4_000, () -> cluster.member(parking.name()).parkedIncarnation() == 0);
    }

    @Test
    void anotherCoordinatorGoesOnWithWhatIsToPark() {
        SimulatedWorker parking = leader == first ? second : first;
        SimulatedWorker third = cluster.start("orders-w-2");
        cluster.world.until("a third works", 4_000, third::isHealthy);
        cluster.await(parking.toy().claim("f1"));
        park(parking.name(), 1);
        cluster.world.until("it takes no work", 1_000, () -> parking.state() == WorkerState.DRAINING);
        leader.kill();
        cluster.world.until(
                "another one leads", 30_000, () -> cluster.coordinator().isPresent());
        assertThat(parking.state()).isEqualTo(WorkerState.DRAINING);
        leader = cluster.coordinator().orElseThrow();
        drain();
        cluster.world.until("it works again", 4_000, parking::isHealthy);
        assertThat(parking.toy().claimed()).containsExactly("f1");
    }

    private void park(String seat, long incarnation) {
        cluster.await(leader.coordinator()
                .setDraining(SetDrainingRequest.newBuilder()
                        .putParking(seat, incarnation)
                        .setDrainTimeoutMillis(60_000)
                        .build()));
    }

    private void drain(String... seats) {
        cluster.await(leader.coordinator()
                .setDraining(SetDrainingRequest.newBuilder()
                        .addAllSeats(List.of(seats))
                        .setDrainTimeoutMillis(5_000)
                        .build()));
    }

    private ClusterReport last() {
        return clusterReports.get(clusterReports.size() - 1);
    }

    private ReportedWorker worker(SimulatedWorker worker) {
        return last().getWorkersList().stream()
                .filter(stated -> stated.getSeat().equals(worker.seat().name()))
                .findFirst()
                .orElseThrow();
    }
}
