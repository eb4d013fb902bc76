/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.coordinator.Term;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElectionTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void ofManyWorkersExactlyOneIsElectedSoonAndStays(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        List<SimulatedWorker> workers =
                List.of(cluster.start("orders-w-0"), cluster.start("orders-w-1"), cluster.start("orders-w-2"));
        cluster.world.until(
                "there is a coordinator", 4_000, () -> cluster.coordinator().isPresent());
        cluster.world.run(60_000);
        assertThat(workers.stream().filter(worker -> worker.membership().term() > 0))
                .hasSize(1)
                .allMatch(worker -> worker.membership().term() == 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aKilledCoordinatorIsReplacedWithinThreeHeartbeats(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = coordinatorOfThree(cluster);
        first.kill();
        cluster.world.until("there is another coordinator", 6_500, () -> cluster.coordinator()
                .isPresent());
        assertThat(cluster.coordinator().orElseThrow().membership().term()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aCoordinatorWhoseAddressRefusesAConnectionIsReplacedWithin300Millis(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker first = coordinatorOfThree(cluster);
        cluster.world.run(10_000);
        first.kill();
        SimulatedWorker other = cluster.workers().stream()
                .filter(worker -> worker != first)
                .findFirst()
                .orElseThrow();
        other.membership().liveness().suspect(first.name(), first.seat().incarnation());
        cluster.world.until(
                "there is another coordinator", 300, () -> cluster.coordinator().isPresent());
        assertThat(cluster.coordinator().orElseThrow()).isNotSameAs(first);
    }

    @Test
    void aCoordinatorThatLeavesIsReplacedAtOnce() {
        SimulatedCluster cluster = new SimulatedCluster(3);
        SimulatedWorker first = coordinatorOfThree(cluster);
        cluster.await(first.leave(1_000));
        cluster.world.until("there is another coordinator", 3_000, () -> cluster.coordinator()
                .isPresent());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aCoordinatorThatWasReplacedWritesNothingAndIsRefusedByWorkers(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker former = coordinatorOfThree(cluster);
        cluster.cutProbes();
        former.process().pause();
        cluster.world.until("there is another coordinator", 30_000, () -> cluster.coordinator()
                .filter(worker -> worker != former)
                .isPresent());
        SimulatedWorker present = cluster.coordinator().orElseThrow();
        assertThat(former.membership().term()).as("it does not know yet").isEqualTo(1);
        CompletableFuture<Long> draining = former.coordinator()
                .setDraining(
                        SetDrainingRequest.newBuilder().addSeats("orders-w-0").build());
        cluster.world.run(2_000);
        assertThatThrownBy(() -> present.seat().commands().order(1, 1_000, new SeatOrder(true, false, 1_000)))
                .hasMessageContaining("A newer coordinator");
        former.process().resume();
        assertThatThrownBy(() -> cluster.await(draining)).hasCauseInstanceOf(Term.DeposedException.class);
        cluster.world.until("the former one ends", 100, former::isGone);
        assertThat(former.membership().term()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aDutyBeginsAndEndsWithItsTermAndNothingIsDecidedInItAfterThat(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker former = coordinatorOfThree(cluster);
        Term term = former.duty().orElseThrow();
        assertThat(term.number()).isEqualTo(1);
        cluster.await(decide(term, cluster));
        cluster.cutProbes();
        former.process().pause();
        cluster.world.until("another one has the duty", 30_000, () -> cluster.workers().stream()
                .anyMatch(worker -> worker != former && worker.duty().isPresent()));
        CompletableFuture<Void> late = decide(term, cluster);
        former.process().resume();
        assertThatThrownBy(() -> cluster.await(late)).hasCauseInstanceOf(Term.DeposedException.class);
        cluster.world.until("the former one ends", 100, former::isGone);
        assertThat(former.duty()).isEmpty();
    }

    private static CompletableFuture<Void> decide(Term term, SimulatedCluster cluster) {
        return term.write(transaction -> {
            transaction.set(cluster.keyspace.root().pack("decision"), new byte[] {1});
            return CompletableFuture.completedFuture(null);
        });
    }

    @Test
    void whoHasADutySaysSoBeforeItTakesItsSeat() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker leader = coordinatorOfThree(cluster);
        assertThatThrownBy(() -> leader.membership().onTerm(term -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add duties before join()");
    }

    @Test
    void aCoordinatorThatLivesLeadsNoLongerOnceItSeesAnotherOne() {
        SimulatedCluster cluster = new SimulatedCluster(2);
        SimulatedWorker former = coordinatorOfThree(cluster);
        SimulatedWorker next = cluster.workers().stream()
                .filter(worker -> worker != former)
                .findFirst()
                .orElseThrow();
        cluster.await(cluster.database.runAsync(transaction -> {
            new CoordinatorTable(cluster.keyspace)
                    .writeHolder(
                            transaction,
                            CoordinatorRecord.newBuilder()
                                    .setTerm(2)
                                    .setSeat(next.name())
                                    .setIncarnation(next.seat().incarnation())
                                    .setAddress(next.address())
                                    .build());
            return CompletableFuture.completedFuture(true);
        }));
        cluster.world.until("the next one leads", 3_000, () -> next.membership().term() == 2);
        cluster.world.until(
                "the former one does not", 3_000, () -> former.membership().term() == 0);
        assertThat(former.isHealthy()).isTrue();
    }

    @Test
    void aWorkerThatStartsAgainHearsOfTheTermThatItsFormerLifeHadHeardOf() {
        SimulatedCluster cluster = new SimulatedCluster(2);
        SimulatedWorker coordinator = coordinatorOfThree(cluster);
        SimulatedWorker former = cluster.workers().stream()
                .filter(worker -> worker != coordinator)
                .findFirst()
                .orElseThrow();
        cluster.world.until("it is greeted", 3_000, () -> heardTerm(former) == 1);
        cluster.world.run(1_000);
        former.kill();
        SimulatedWorker again = cluster.start(former.name(), "pod-" + former.name(), 2, former.address(), 0);
        cluster.world.until("it is greeted again", 5_000, () -> heardTerm(again) == 1);
        assertThat(again.seat().incarnation()).isEqualTo(2);
    }

    private static long heardTerm(SimulatedWorker worker) {
        return worker.seat().commands().heard().term();
    }

    @Test
    void otherWorkersKnowTheWayToTheCoordinator() {
        SimulatedCluster cluster = new SimulatedCluster(2);
        SimulatedWorker coordinator = coordinatorOfThree(cluster);
        cluster.world.run(3_000);
        for (SimulatedWorker worker : cluster.workers()) {
            if (worker != coordinator) {
                ClusterReport redirect = worker.coordinator().redirect();
                assertThat(redirect.getRedirect()).isTrue();
                assertThat(redirect.getCoordinatorSeat())
                        .isEqualTo(coordinator.seat().name());
                assertThat(redirect.getCoordinatorAddress()).isEqualTo(coordinator.address());
            }
        }
    }

    private static SimulatedWorker coordinatorOfThree(SimulatedCluster cluster) {
        cluster.start("orders-w-0");
        cluster.start("orders-w-1");
        cluster.start("orders-w-2");
        cluster.world.until(
                "there is a coordinator", 4_000, () -> cluster.coordinator().isPresent());
        cluster.world.until(
                "all are healthy", 4_000, () -> cluster.workers().stream().allMatch(SimulatedWorker::isHealthy));
        return cluster.coordinator().orElseThrow();
    }
}
