/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.service.GrpcWorkerCalls;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import org.junit.jupiter.api.Test;

/** The defects D1 to D7 that the protocol had where it comes from, each of which must not be here. */
class SourceDefectTest {

    private static final String SEAT = "orders-w-0";
    private static final long WORKER_TTL_MILLIS = SimulatedCluster.LEASE.workerTtlMillis();
    private static final long OBSERVER_TTL_MILLIS = SimulatedCluster.LEASE.observerTtlMillis();

    private final SimulatedCluster cluster = new SimulatedCluster(5);

    private SimulatedWorker healthy(String seat) {
        SimulatedWorker worker = cluster.start(seat);
        cluster.world.until(seat + " works", 5_000, worker::isHealthy);
        return worker;
    }

    private GrpcWorkerCalls calls() {
        Peers peers = (seat, address) -> cluster.network.channel(cluster.bystander(), address);
        return new GrpcWorkerCalls(peers);
    }

    @Test
    void d1ALeaseIsCountedFromBeforeItsRenewalWasSent() {
        SimulatedWorker worker = healthy(SEAT);
        worker.slowStore(1_500);
        cluster.world.run(10_000);
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        for (int i = 0; i < 10_000; i++) {
            cluster.world.run(1);
            long left = (worker.seat().validUntilNanos() - worker.process().nanoTime()) / 1_000_000;
            shortest = Math.min(shortest, left);
            longest = Math.max(longest, left);
        }
        assertThat(longest).isLessThanOrEqualTo(WORKER_TTL_MILLIS - 1_500);
        assertThat(shortest).isPositive();
    }

    @Test
    void d2ClocksThatAreAMinuteApartAreNotCompared() {
        SimulatedWorker one = healthy(SEAT);
        SimulatedWorker other = healthy("orders-w-1");
        one.process().skewWallClock(60_000);
        other.process().skewWallClock(-60_000);
        cluster.world.run(120_000);
        assertThat(one.isHealthy() && other.isHealthy()).isTrue();
        cluster.cutProbes();
        other.process().pause();
        long found = cluster.world.until("the silent one is dead", OBSERVER_TTL_MILLIS + 10_000, () -> one.membership()
                .liveness()
                .isDead(other.name(), 1));
        assertThat(found)
                .isBetween(
                        OBSERVER_TTL_MILLIS - SimulatedCluster.LEASE.beatMillis() - 500,
                        OBSERVER_TTL_MILLIS + 3 * SimulatedCluster.LEASE.beatMillis());
    }

    @Test
    void d3WhatWasMeantForAReplacedInstanceDoesNothingToTheNewOne() {
        SimulatedWorker first = healthy(SEAT);
        Member former = cluster.member(SEAT);
        first.kill();
        SimulatedWorker second = cluster.start(SEAT, "pod-" + SEAT, 2, first.address(), 0);
        cluster.world.until("the second works", 2_000, second::isHealthy);
        var before = second.seat().commands().heard();
        assertThatThrownBy(() -> cluster.await(calls().order(former, 99, 99, new SeatOrder(true, false, 1_000))))
                .hasMessageContaining("Meant for incarnation 1");
        assertThatThrownBy(() -> cluster.await(calls().hello(former, 99))).hasMessageContaining("FAILED_PRECONDITION");
        assertThat(second.seat().commands().heard()).isEqualTo(before);
        assertThat(second.isHealthy()).isTrue();
    }

    @Test
    void d4ADelayedCommandOfAFormerCoordinatorIsRefusedOnceANewOneSaidHello() {
        SimulatedWorker worker = healthy(SEAT);
        Member member = cluster.member(SEAT);
        cluster.await(calls().hello(member, 7));
        assertThatThrownBy(() -> cluster.await(calls().order(member, 6, 100, new SeatOrder(true, false, 1_000))))
                .hasMessageContaining("A newer coordinator");
        assertThat(worker.toy().isDraining()).isFalse();
        cluster.await(calls().order(member, 7, 1, new SeatOrder(true, false, 1_000)));
        assertThat(worker.toy().isDraining()).isTrue();
    }

    @Test
    void d5AnEmptySetOfWorkersIsASetLikeAnyOther() {
        SimulatedWorker first = cluster.start(SEAT);
        cluster.world.until(
                "the first worker of all leads", 5_000, () -> first.membership().term() == 1);
        cluster.await(first.leave(100));
        assertThat(cluster.member(SEAT).state()).isEqualTo(WorkerState.MUST_DIE);
        cluster.world.run(60_000);
        SimulatedWorker next = healthy("orders-w-1");
        cluster.world.until("the next one leads", 5_000, () -> next.membership().term() == 2);
    }

    @Test
    void d6WhoRestartsWithinTheTimeOfAKillMeetsTokensAndNotOnlyMemories() {
        SimulatedWorker first = healthy(SEAT);
        cluster.await(first.toy().claim("f1"));
        first.process().pause();
        SimulatedWorker second = cluster.start(SEAT, "pod-" + SEAT, 2, "10.0.0.9:7400", 0);
        cluster.world.until("the second works", 2_000, second::isHealthy);
        cluster.await(second.toy().claim("f1"));
        var late = first.toy().finish("f1");
        first.process().resume();
        assertThatThrownBy(() -> cluster.await(late)).isNotNull();
        cluster.await(second.toy().finish("f1"));
    }

    @Test
    void d7OfTwoLiveCoordinatorsOnlyOneIsHeard() {
        SimulatedWorker former = healthy(SEAT);
        cluster.world.until("it leads", 5_000, () -> former.membership().term() == 1);
        SimulatedWorker next = healthy("orders-w-1");
        cluster.cutProbes();
        former.process().pause();
        cluster.world.until(
                "another one leads",
                OBSERVER_TTL_MILLIS + 10_000,
                () -> next.membership().term() == 2);
        assertThat(former.membership().term()).as("both believe to lead").isEqualTo(1);
        cluster.world.run(1_000);
        assertThatThrownBy(() -> next.seat().commands().order(1, 1_000, new SeatOrder(true, false, 0)))
                .hasMessageContaining("A newer coordinator");
    }
}
