/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.NamedTask;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.submit.TransactionalFutures;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.check.Rule;
import dev.ratchet.simulation.check.RuleViolation;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.store.StoreFaults;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios M1 to M14 of docs/membership.md that concern work; every rule is looked at throughout. */
class ScenarioTest {

    private static final long TTL_MILLIS = SimulatedCluster.LEASE.observerTtlMillis();

    private static final long LONG_MILLIS = 10 * TTL_MILLIS;

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private SimulatedCluster cluster;

    private void start(int seats) {
        futures = new FuturesCluster(1, seats, directory);
        cluster = futures.cluster;
    }

    @AfterEach
    void close() {
        futures.close();
    }

    @Test
    void m2OfManyClaimersOneWinsAndTheEpochCountsTheWins() {
        start(6);
        List<FutureId> ids =
                IntStream.range(0, 40).mapToObj(i -> futures.submit(20)).toList();
        futures.untilDone(30_000);
        for (FutureId id : ids) {
            assertThat(futures.times(id)).isEqualTo(1);
            assertThat(futures.record(id).getEpoch()).isEqualTo(1);
        }
    }

    @Test
    void m3WhatAReplacedWorkerFinishesLateIsRefusedAndTheSuccessorsResultStays() {
        start(3);
        FutureId id = futures.submit(3_000, false);
        SimulatedWorker first = futures.runner(id);
        cluster.cutProbes();
        first.process().pause();
        cluster.world.until(
                "another one has finished it",
                TTL_MILLIS + 15_000,
                () -> futures.record(id).getState() == State.STATE_REALIZED);
        FutureRecord recorded = futures.record(id);
        assertThat(recorded.getClaim().getSeat()).isNotEqualTo(first.name());
        first.process().resume();
        cluster.world.run(10_000);
        assertThat(first.isGone()).isTrue();
        assertThat(futures.record(id)).isEqualTo(recorded);
    }

    @Test
    void m4CommitsOfUnknownOutcomeChangeNothingTwice() {
        start(3);
        cluster.engine.setFaults(new StoreFaults(300, 0, 0, 0, 0));
        List<FutureId> ids =
                IntStream.range(0, 20).mapToObj(i -> futures.submit(50)).toList();
        futures.untilDone(60_000);
        for (FutureId id : ids) {
            assertThat(futures.record(id).getState()).isEqualTo(State.STATE_REALIZED);
            assertThat((long) futures.times(id)).isEqualTo(futures.record(id).getEpoch());
        }
    }

    @Test
    void m8ANewCoordinatorLeavesTheHealthyToWorkAndCallsNobodyDeadBeforeItsTime() {
        start(4);
        SimulatedWorker leader = cluster.coordinator().orElseThrow();
        SimulatedWorker silent = futures.workers.stream()
                .filter(worker -> worker != leader)
                .findFirst()
                .orElseThrow();
        cluster.world.run(3_000);
        long begin = cluster.world.millis();
        for (SimulatedWorker worker : futures.workers) {
            cluster.network.cut(worker.process(), silent.process());
        }
        silent.process().pause();
        leader.kill();
        futures.submit(100);
        futures.untilDone(15_000);
        cluster.world.until("there is another coordinator", 8_000, () -> cluster.coordinator()
                .isPresent());
        cluster.world.run(begin + TTL_MILLIS - SimulatedCluster.LEASE.beatMillis() - cluster.world.millis());
        assertThat(cluster.member(silent.name()).state()).isNotEqualTo(WorkerState.MUST_DIE);
        cluster.world.until(
                "the silent one is recorded as dead",
                10_000,
                () -> cluster.member(silent.name()).state() == WorkerState.MUST_DIE);
    }

    @Test
    void m9ATaskWithExternalEffectsBeginsAgainOnlyOnceWhoHadItHasEnded() {
        start(3);
        FutureId id = futures.submit(LONG_MILLIS, true);
        SimulatedWorker first = refusedWhileItRuns(id);
        long begin = cluster.world.millis();
        cluster.world.until("another one runs it", 3 * TTL_MILLIS, () -> futures.times(id) == 2);
        assertThat(first.isGone()).as("who had it").isTrue();
        assertThat(cluster.world.millis() - begin)
                .as("time since the cut, before which its last beat was by up to one interval")
                .isGreaterThanOrEqualTo(TTL_MILLIS - SimulatedCluster.LEASE.beatMillis());
    }

    @Test
    void m9ThatIsCountedFromItsLastBeatWhichMayComeLongAfterARefusal() {
        start(3);
        SimulatedWorker leader = cluster.coordinator().orElseThrow();
        FutureId id = futures.submit(LONG_MILLIS, true);
        while (futures.runner(id) == leader) {
            id = futures.submit(LONG_MILLIS, true);
        }
        SimulatedWorker first = futures.runner(id);
        cluster.network.cut(leader.process(), first.process());
        cluster.network.refuse(first.process());
        long beat = cluster.member(first.name()).beat();
        first.process().pause();
        cluster.world.run(SimulatedCluster.LEASE.workerTtlMillis() - 2 * SimulatedCluster.LEASE.beatMillis());
        first.process().resume();
        cluster.world.until(
                "it beats once more",
                TTL_MILLIS,
                () -> cluster.member(first.name()).beat() > beat);
        first.cutFromStore();
        long begin = cluster.world.millis();
        FutureId lost = id;
        cluster.world.until("another one runs it", 3 * TTL_MILLIS, () -> futures.times(lost) == 2);
        assertThat(first.isGone()).as("who had it").isTrue();
        assertThat(cluster.world.millis() - begin)
                .isBetween(TTL_MILLIS - SimulatedCluster.LEASE.beatMillis(), 2 * TTL_MILLIS);
    }

    @Test
    void m9AnyOtherTaskMayThenRunTwiceAtOnce() {
        start(3);
        FutureId id = futures.submit(LONG_MILLIS, false);
        SimulatedWorker first = refusedWhileItRuns(id);
        assertThatThrownBy(() -> cluster.world.until("another one runs it", TTL_MILLIS, () -> futures.times(id) == 2))
                .isInstanceOfSatisfying(RuleViolation.class, violation -> assertThat(violation.rule())
                        .isEqualTo(Rule.G1));
        assertThat(first.isGone()).as("who had it").isFalse();
    }

    /** Who has the task lives, but neither reaches the store nor accepts connections. */
    private SimulatedWorker refusedWhileItRuns(FutureId id) {
        SimulatedWorker worker = futures.runner(id);
        worker.cutFromStore();
        cluster.network.refuse(worker.process());
        return worker;
    }

    @Test
    void m10AnOrderlyEndBurnsNoAttempt() {
        start(2);
        FutureId brief = futures.submit(800);
        futures.runner(brief);
        FutureId endless = futures.submit(30_000);
        SimulatedWorker runner = futures.runner(endless);
        assertThat(cluster.await(runner.leave(2_000))).isTrue();
        futures.untilDone(60_000);
        assertThat(futures.record(brief).getNumAttempts()).isEqualTo(1);
        assertThat(futures.record(endless).getNumAttempts()).isEqualTo(1);
        assertThat(futures.record(endless).getEpoch()).isEqualTo(2);
    }

    @Test
    void m11AWorkerCutOffEndsByItselfBeforeItsSuccessorHasItsSeat() {
        start(2);
        FutureId id = futures.submit(25_000);
        SimulatedWorker cut = futures.runner(id);
        cut.cutFromStore();
        cluster.cutProbes();
        SimulatedWorker successor = cluster.start(cut.name(), "pod-new", "10.9.9.9:7400");
        cluster.world.until("it ends by itself", SimulatedCluster.LEASE.workerTtlMillis() + 1_000, cut::isGone);
        assertThat(successor.membership().isJoined()).isFalse();
        cluster.world.until("the successor works", TTL_MILLIS, successor::isHealthy);
        futures.untilDone(60_000);
    }

    @Test
    void aWorkerThatHasNoSeatYetSendsItsClientsElsewhere() {
        start(1);
        SimulatedWorker waiting = cluster.start(futures.workers.get(0).name(), "pod-new", "10.9.9.9:7400");
        cluster.world.run(1_000);
        CompletableFuture<SubmitReply> reply = new CompletableFuture<>();
        GatewayGrpc.newStub(cluster.network.channel(cluster.bystander(), waiting.address()))
                .submit(SubmitRequest.getDefaultInstance(), new StreamObserver<>() {
                    @Override
                    public void onNext(SubmitReply answer) {
                        reply.complete(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        reply.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        // The answer has come.
                    }
                });
        assertThatThrownBy(() -> cluster.await(reply))
                .hasMessageContaining("UNAVAILABLE: The worker orders-w-0 has not");
    }

    @Test
    void m13WallClocksThatJumpEndNothingAndKeepNothingAlive() {
        start(3);
        futures.workers.get(0).process().skewWallClock(3_600_000);
        futures.workers.get(1).process().skewWallClock(-3_600_000);
        futures.submit(5_000);
        futures.untilDone(20_000);
        cluster.world.run(60_000);
        assertThat(futures.workers).allMatch(SimulatedWorker::isHealthy);
        assertThat(futures.workers).allMatch(worker -> worker.seat().incarnation() == 1);
        SimulatedWorker killed = futures.workers.get(0);
        killed.kill();
        cluster.world.until(
                "the killed one is recorded as dead",
                6_500,
                () -> cluster.member(killed.name()).state() == WorkerState.MUST_DIE);
    }

    @Test
    void m13AWallClockThatIsAheadOfTheOthersMakesNothingEarly() throws Exception {
        start(3);
        TransactionalFutures calls = new TransactionalFutures(cluster.database, cluster.keyspace, cluster.bystander());
        NamedTask task = new NamedTask("java.lang.Integer", "parseInt", "7");
        FutureId delayed = FutureId.random();
        FutureId kept = FutureId.random();
        SubmitOptions later = SubmitOptions.ofJob("early").withDelay(Duration.ofMinutes(30));
        cluster.await(
                cluster.database.runAsync(transaction -> calls.submit(transaction, delayed, later, List.of(), task)
                        .thenCompose(unused -> calls.submit(
                                transaction, kept, later.withRetention(Duration.ofMinutes(30)), List.of(), task))));
        cluster.await(cluster.database.runAsync(transaction -> calls.cancel(transaction, kept)));

        futures.workers.getFirst().process().skewWallClock(3_600_000);
        cluster.world.run(180_000);

        assertThat(futures.record(delayed).getState()).isEqualTo(State.STATE_DELAYED);
        assertThat(futures.record(kept).getState()).isEqualTo(State.STATE_CANCELLED);
        cluster.world.run(30 * 60_000);
        assertThat(futures.record(delayed).getState()).isEqualTo(State.STATE_REALIZED);
    }
}
