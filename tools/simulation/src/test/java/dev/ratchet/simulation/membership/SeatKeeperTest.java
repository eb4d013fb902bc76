/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.NotWorkingException;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.store.keyspace.StoreRecord;
import dev.ratchet.store.transaction.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeatKeeperTest {

    private static final String SEAT = "orders-w-0";
    private static final long TTL_MILLIS = SimulatedCluster.LEASE.observerTtlMillis();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aFreshWorkerIsHealthyWithinASecond(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker worker = cluster.start(SEAT);
        cluster.world.until("the worker is healthy", 1_000, worker::isHealthy);
        assertThat(cluster.member(SEAT).state()).isEqualTo(WorkerState.HEALTHY);
        cluster.world.run(300_000);
        assertThat(worker.isHealthy()).as("five minutes later").isTrue();
        assertThat(worker.seat().incarnation()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aKilledProcessRestartedInItsPodHasItsSeatBackAtOnceAndItsOldClaimsAreReleased(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = healthy(cluster);
        cluster.await(first.toy().claim("f1"));
        first.kill();
        SimulatedWorker second = cluster.start(SEAT, "pod-" + SEAT, 2, first.address(), 0);
        cluster.world.until("the seat is taken again", 500, second::isHealthy);
        assertThat(second.seat().incarnation()).isEqualTo(2);
        assertThat(recorded(cluster, second)).isZero();
    }

    @Test
    void aSeatStaysNewAsLongAsWhatTheFormerOneHeldIsNotReleased() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker first = healthy(cluster);
        cluster.await(first.toy().claim("f1"));
        first.kill();
        SimulatedWorker second = cluster.start(SEAT, "pod-" + SEAT, 2, first.address(), 0);
        second.toy().failSettling(true);
        cluster.world.run(10_000);
        assertThat(cluster.member(SEAT).incarnation()).isEqualTo(2);
        assertThat(cluster.member(SEAT).state()).isEqualTo(WorkerState.NEW);
        assertThat(recorded(cluster, second)).isEqualTo(1);
        second.toy().failSettling(false);
        cluster.world.until("it works", 9_000, second::isHealthy);
        assertThat(recorded(cluster, second)).isZero();
    }

    @Test
    void anOlderProcessOfAPodEndsInsteadOfWaitingForItsSuccessor() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker young = cluster.start(SEAT, "pod-" + SEAT, 2, "10.0.0.1:7400", 0);
        cluster.world.until("the younger one works", 1_000, young::isHealthy);
        SimulatedWorker old = cluster.start(SEAT, "pod-" + SEAT, 1, "10.0.0.2:7400", 0);
        cluster.world.until("the older one ends", 500, old::isGone);
        assertThat(old.lostReason()).startsWith("a younger process of this pod took the seat");
        assertThat(young.isHealthy()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNewPodWhosePredecessorRefusesConnectionsHasTheSeatWithinTwoSeconds(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = healthy(cluster);
        first.kill();
        SimulatedWorker second = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        cluster.world.until("the new pod has the seat", 2_000, second::isHealthy);
        assertThat(second.seat().incarnation()).isEqualTo(2);
    }

    @Test
    void aKilledWorkerWhoseLastBeatIsReadLaterStaysDead() {
        int unread = 0;
        for (long seed = 1; seed <= 40; seed++) {
            SimulatedCluster cluster = new SimulatedCluster(seed);
            SimulatedWorker watching = healthy(cluster);
            SimulatedWorker killed = healthy(cluster, "orders-w-1");
            cluster.world.run(10_000 + seed * 97);
            Liveness seen = watching.membership().liveness();
            long last = cluster.member("orders-w-1").beat();
            unread += seen.latest().stream()
                            .anyMatch(member -> member.seat().equals("orders-w-1") && member.beat() == last)
                    ? 0
                    : 1;
            killed.kill();
            seen.suspect("orders-w-1", 1);
            cluster.world.until("it is found dead", 100, () -> seen.isDead("orders-w-1", 1));
            for (long passed = 0; passed < 2 * TTL_MILLIS; passed += 100) {
                cluster.world.run(100);
                assertThat(seen.isDead("orders-w-1", 1))
                        .as("dead after %d ms, seed %d", passed, seed)
                        .isTrue();
            }
        }
        assertThat(unread).as("seeds with a last beat that nobody has read").isPositive();
    }

    @Test
    void aWorkerKilledBeforeOthersHaveReadOfItIsFoundDeadOnceItsConnectionsBreak() {
        int unread = 0;
        for (long seed = 1; seed <= 20; seed++) {
            SimulatedCluster cluster = new SimulatedCluster(seed);
            SimulatedWorker watching = healthy(cluster);
            SimulatedWorker newest = healthy(cluster, "orders-w-1");
            unread += watching.membership().liveness().latest().size() == 1 ? 1 : 0;
            newest.kill();
            watching.membership().liveness().suspectHolder(SEAT);
            watching.membership().liveness().suspectHolder("orders-w-1");
            cluster.world.until("it is found dead", 100, () -> watching.membership()
                    .liveness()
                    .isDead("orders-w-1", 1));
            assertThat(watching.membership().liveness().isDead(SEAT, 1))
                    .as("a live one that is suspected, seed %d", seed)
                    .isFalse();
        }
        assertThat(unread).as("seeds with one that others had not read of").isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aNewPodWaitsForASilentPredecessorAWholeTimeToLiveAndNotMuchLonger(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = healthy(cluster);
        cluster.cutProbes();
        first.kill();
        SimulatedWorker second = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        long waited = cluster.world.until("the new pod has the seat", TTL_MILLIS + 5_000, second::isHealthy);
        assertThat(waited).isGreaterThanOrEqualTo(TTL_MILLIS);
    }

    @Test
    void aNewPodWaitsAsLongAsItsPredecessorLives() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker first = healthy(cluster);
        SimulatedWorker second = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        cluster.world.run(10 * TTL_MILLIS);
        assertThat(second.membership().isJoined()).isFalse();
        assertThat(first.isHealthy()).isTrue();
        first.leave(1_000);
        cluster.world.until("the seat is handed over", 3_000, second::isHealthy);
        assertThat(second.seat().incarnation()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aPausedWorkerThatWasReplacedWritesNothingAndEndsWhenItWakes(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = healthy(cluster);
        cluster.await(first.toy().claim("f1"));
        cluster.cutProbes();
        first.process().pause();
        SimulatedWorker second = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        cluster.world.until("the seat is taken over", TTL_MILLIS + 5_000, second::isHealthy);
        cluster.await(second.toy().claim("f2"));
        CompletableFuture<Void> finish = first.toy().finish("f2");
        CompletableFuture<Void> claim = first.toy().claim("f3");
        first.process().resume();
        assertThatThrownBy(() -> cluster.await(finish)).hasCauseInstanceOf(SeatLostException.class);
        assertThatThrownBy(() -> cluster.await(claim)).hasCauseInstanceOf(SeatLostException.class);
        cluster.world.until("the relic ends", 100, first::isGone);
        assertThat(first.toy().isAbandoned()).isTrue();
        assertThat(recorded(cluster, second)).isEqualTo(1);
        assertThat(second.isHealthy()).isTrue();
    }

    @Test
    void aWorkerWhoseFenceFindsItsSeatLostEndsAtOnceAndNotAtItsNextHeartbeat() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        long renewed = worker.seat().validUntilNanos();
        cluster.world.until("a heartbeat is over", 5_000, () -> worker.seat().validUntilNanos() > renewed);
        condemn(cluster);
        CompletableFuture<Void> claim = worker.toy().claim("f1");
        cluster.world.until("it ends", SimulatedCluster.LEASE.beatMillis() / 10, worker::isGone);
        assertThatThrownBy(() -> cluster.await(claim)).hasCauseInstanceOf(SeatLostException.class);
        assertThat(worker.lostReason()).isEqualTo("the record says MUST_DIE");
    }

    @Test
    void aWorkerThatIsToldToDieEndsAtItsNextHeartbeatAndAnotherPodHasItsSeatAtOnce() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        condemn(cluster);
        SimulatedWorker next = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        cluster.world.until("the next one works", 1_000, next::isHealthy);
        cluster.world.until("it ends", SimulatedCluster.LEASE.beatMillis() + 100, worker::isGone);
    }

    private static void condemn(SimulatedCluster cluster) {
        StoredMembers members = new StoredMembers(cluster.keyspace);
        cluster.await(cluster.database.runAsync(
                transaction -> members.record(transaction, SEAT).thenApply(record -> {
                    members.write(
                            transaction,
                            SEAT,
                            record.toBuilder().setState(State.STATE_MUST_DIE).build());
                    return true;
                })));
    }

    @ParameterizedTest
    @ValueSource(ints = {-10, 0, 10})
    void aWorkerCutFromTheStoreEndsBeforeAnybodyMayCallItDead(int driftPerMille) {
        SimulatedCluster cluster = new SimulatedCluster(7);
        SimulatedWorker observer = cluster.start("orders-w-1");
        SimulatedWorker worker = cluster.start(SEAT, "pod", 1, "10.0.0.50:7400", driftPerMille);
        cluster.world.until("both are healthy", 2_000, () -> worker.isHealthy() && observer.isHealthy());
        cluster.cutProbes();
        long incarnation = worker.seat().incarnation();
        worker.cutFromStore();
        long ended = cluster.world.until("the worker ends", 12_000, worker::isGone);
        assertThat(worker.lostReason()).contains("the lease is over");
        long dead = cluster.world.until("it is called dead", TTL_MILLIS, () -> observer.membership()
                .liveness()
                .isDead(SEAT, incarnation));
        long kill = SimulatedCluster.LEASE.killWaitMillis() + SimulatedCluster.LEASE.killLatencyMillis();
        assertThat(dead).as("ended after %s ms, dead so much later", ended).isGreaterThan(kill);
    }

    @Test
    void aWorkerThatStoodStillForItsWholeLeaseMayNotWorkEvenBeforeItKnowsThatItIsOver() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        worker.process().pause();
        cluster.world.run(SimulatedCluster.LEASE.workerTtlMillis());
        assertThat(worker.state()).as("as far as it knows").isEqualTo(WorkerState.HEALTHY);
        assertThat(worker.seat().mayWork()).isFalse();
    }

    @Test
    void theLeaseCountsFromBeforeTheHeartbeatWasSentHoweverLateItsAnswer() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        worker.slowStore(1_500);
        cluster.world.run(5_000);
        for (int renewals = 0; renewals < 3; renewals++) {
            long before = worker.seat().validUntilNanos();
            cluster.world.until(
                    "the lease is renewed", 5_000, () -> worker.seat().validUntilNanos() > before);
            assertThat(leaseAgeNanos(worker)).isGreaterThanOrEqualTo(1_500_000_000L);
        }
    }

    @Test
    void theLeaseOfASeatJustTakenCountsFromBeforeItWasAskedFor() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = cluster.start(SEAT);
        worker.slowStore(1_500);
        cluster.world.until("the seat is taken", 5_000, () -> worker.seat().isTaken());
        assertThat(leaseAgeNanos(worker)).isGreaterThanOrEqualTo(1_500_000_000L);
    }

    private static long leaseAgeNanos(SimulatedWorker worker) {
        long ttlNanos = SimulatedCluster.LEASE.workerTtlMillis() * 1_000_000;
        return worker.process().nanoTime() - (worker.seat().validUntilNanos() - ttlNanos);
    }

    @Test
    void wallClocksThatJumpEndNothing() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        worker.process().skewWallClock(3_600_000);
        assertThat(worker.isHealthy()).as("doubtful until the next heartbeat").isFalse();
        cluster.world.until("a heartbeat proves the seat", 3_000, worker::isHealthy);
        worker.process().skewWallClock(-3_600_000);
        cluster.world.run(60_000);
        assertThat(worker.isHealthy()).isTrue();
    }

    @Test
    void aSuspendedMachineTakesNoWorkUntilAHeartbeatHasProvedTheSeat() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        worker.process().suspend();
        cluster.world.run(5_000);
        worker.process().resume();
        assertThat(worker.isHealthy()).isFalse();
        cluster.world.until("it works again", 3_000, worker::isHealthy);
    }

    @Test
    void aWorkerWhoseCanaryFailsIsUnhealthyAndClaimsNothingUntilItPasses() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        worker.toy().failCanary(true);
        cluster.world.until("it is unhealthy", 120_000, () -> worker.state() == WorkerState.UNHEALTHY);
        assertThatThrownBy(() -> cluster.await(worker.toy().claim("f1"))).hasCauseInstanceOf(NotWorkingException.class);
        worker.toy().failCanary(false);
        cluster.world.until("it is healthy again", 5_000, worker::isHealthy);
    }

    @Test
    void aWorkerWhoseCanariesAreHeardOfWhenTheyProveNothingAnyMoreIsUnhealthy() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = cluster.start(SEAT);
        worker.toy().slowCanary(2 * SimulatedCluster.LEASE.canaryMillis() + 10_000);
        cluster.world.run(5 * SimulatedCluster.LEASE.canaryMillis());
        assertThat(worker.state()).isEqualTo(WorkerState.UNHEALTHY);
        worker.toy().slowCanary(0);
        cluster.world.until("it works", SimulatedCluster.LEASE.canaryMillis() + 1_000, worker::isHealthy);
    }

    @Test
    void aClaimAtTheVersionReadLastConflictsWithTheLossOfTheSeat() {
        requireConflict(SeatKeeperTest::condemn);
    }

    @Test
    void aClaimAtTheVersionReadLastConflictsWithARestore() {
        requireConflict(cluster -> cluster.await(cluster.database.runAsync(
                transaction -> StoreRecord.raiseGeneration(transaction, cluster.keyspace, 2))));
    }

    private static void requireConflict(Consumer<SimulatedCluster> change) {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        Transaction claim = cluster.database.createTransaction();
        assertThat(worker.seat().fenceAsLastRead(claim)).isTrue();
        claim.set(cluster.keyspace.root().pack("claim"), new byte[] {1});
        change.accept(cluster);
        assertThatThrownBy(() -> cluster.await(claim.commit()))
                .cause()
                .isInstanceOfSatisfying(FDBException.class, failure -> assertThat(failure.getCode())
                        .isEqualTo(ErrorCode.NOT_COMMITTED));
    }

    @Test
    void aWorkerThatLeavesClaimsNothingByWhatItHasReadLast() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        assertThat(worker.seat().fenceAsLastRead(cluster.database.createTransaction()))
                .isTrue();
        worker.leave(3_000);
        assertThat(worker.state()).as("as long as no heartbeat says it").isEqualTo(WorkerState.HEALTHY);
        assertThat(worker.seat().fenceAsLastRead(cluster.database.createTransaction()))
                .isFalse();
    }

    @Test
    void leavingGivesBackWhatIsHeldAndFreesTheSeat() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = healthy(cluster);
        cluster.await(worker.toy().claim("f1"));
        var left = worker.leave(3_000);
        assertThat(worker.isHealthy()).as("no new work from now on").isFalse();
        assertThat(cluster.await(left)).isTrue();
        assertThat(cluster.member(SEAT).state()).isEqualTo(WorkerState.MUST_DIE);
        assertThat(cluster.member(SEAT).drained()).isTrue();
        assertThat(cluster.member(SEAT).ended()).isTrue();
        assertThat(worker.lostReason()).isEqualTo("not lost");
    }

    @Test
    void whoLeavesBeforeItLearnsThatItHasTakenItsSeatGivesItFree() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = takingSlowly(cluster);
        assertThat(cluster.await(worker.leave(3_000))).isTrue();
        assertThat(cluster.member(SEAT).ended()).isTrue();
        SimulatedWorker next = cluster.start(SEAT, "pod-new", "10.0.0.99:7400");
        cluster.world.until("the next one works", 1_000, next::isHealthy);
    }

    @Test
    void whoLeavesAndDoesNotLearnWhetherItHasTakenItsSeatEndsAllTheSame() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker worker = takingSlowly(cluster);
        worker.cutFromStore();
        var left = worker.leave(60_000);
        cluster.world.until("it has left", SimulatedCluster.LEASE.workerTtlMillis() + 100, left::isDone);
        assertThat(left.join())
                .as("whether nothing is left, as far as it knows")
                .isFalse();
    }

    /** A worker that the store has given the seat, which it has not learned. */
    private static SimulatedWorker takingSlowly(SimulatedCluster cluster) {
        SimulatedWorker worker = cluster.start(SEAT);
        worker.slowStore(1_500);
        cluster.world.until("the seat is recorded", 1_000, () -> isRecorded(cluster));
        assertThat(worker.seat().isTaken()).as("as far as it knows").isFalse();
        return worker;
    }

    private static boolean isRecorded(SimulatedCluster cluster) {
        return cluster.await(cluster.database.readAsync(
                        transaction -> new StoredMembers(cluster.keyspace).one(transaction, SEAT)))
                .isPresent();
    }

    private static SimulatedWorker healthy(SimulatedCluster cluster) {
        return healthy(cluster, SEAT);
    }

    private static SimulatedWorker healthy(SimulatedCluster cluster, String seat) {
        SimulatedWorker worker = cluster.start(seat);
        cluster.world.until("the worker is healthy", 1_000, worker::isHealthy);
        return worker;
    }

    private static long recorded(SimulatedCluster cluster, SimulatedWorker worker) {
        return cluster.await(
                        cluster.database.readAsync(transaction -> worker.toy().recorded(transaction, SEAT)))
                .futures();
    }
}
