/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.WorkerState;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.world.Explorer;
import dev.ratchet.simulation.world.VirtualWorld;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two processes and one seat, in every order of events up to a depth: {@code -Dratchet.depth=10} for more than the
 * default. The choices of a failing run are in its message.
 */
class EveryOrderTest {

    private static final String SEAT = "orders-w-0";
    private static final int DEPTH = Integer.getInteger("ratchet.depth", 6);
    private static final long SILENCE_MILLIS = SimulatedCluster.LEASE.observerTtlMillis() + 5_000;

    @Test
    void ofTwoPodsThatWantOneSeatOneHasIt() {
        int runs = Explorer.all(DEPTH, explorer -> {
            SimulatedCluster cluster = new SimulatedCluster(new VirtualWorld(1, explorer));
            explorer.begin();
            SimulatedWorker one = cluster.start(SEAT, "pod-a", "10.0.0.1:7400");
            SimulatedWorker other = cluster.start(SEAT, "pod-b", "10.0.0.2:7400");
            cluster.world.run(1_500);
            assertThat(Stream.of(one, other)
                            .filter(worker -> worker.membership().isJoined()))
                    .as("%s", explorer)
                    .hasSize(1);
            assertThat(cluster.member(SEAT).incarnation()).as("%s", explorer).isEqualTo(1);
            assertThat(cluster.member(SEAT).state()).as("%s", explorer).isEqualTo(WorkerState.HEALTHY);
        });
        assertThat(runs).isGreaterThan(50);
    }

    @Test
    void ofTwoProcessesOfOnePodTheYoungerHasTheSeatInTheEnd() {
        int runs = Explorer.all(DEPTH, explorer -> {
            SimulatedCluster cluster = new SimulatedCluster(new VirtualWorld(1, explorer));
            explorer.begin();
            SimulatedWorker older = cluster.start(SEAT, "pod-a", 1, "10.0.0.1:7400", 0);
            SimulatedWorker younger = cluster.start(SEAT, "pod-a", 2, "10.0.0.1:7400", 0);
            cluster.world.run(2 * SimulatedCluster.LEASE.beatMillis() + 1_000);
            assertThat(older.isGone()).as("%s", explorer).isTrue();
            assertThat(younger.isHealthy()).as("%s", explorer).isTrue();
            assertThat(cluster.member(SEAT).bootNumber()).as("%s", explorer).isEqualTo(2);
        });
        assertThat(runs).isGreaterThan(50);
    }

    @Test
    void aRelicThatWakesWhileItsSuccessorWorksChangesNothing() {
        int runs = Explorer.all(DEPTH, explorer -> {
            SimulatedCluster cluster = new SimulatedCluster(new VirtualWorld(1, explorer));
            SimulatedWorker relic = cluster.start(SEAT, "pod-a", "10.0.0.1:7400");
            cluster.world.until("the first works", 2_000, relic::isHealthy);
            cluster.await(relic.toy().claim("f1"));
            cluster.cutProbes();
            relic.process().pause();
            SimulatedWorker successor = cluster.start(SEAT, "pod-b", "10.0.0.2:7400");
            cluster.world.until("the seat is taken over", SILENCE_MILLIS, successor::isHealthy);
            cluster.await(successor.toy().claim("f1"));
            explorer.begin();
            CompletableFuture<Void> late = relic.toy().finish("f1");
            CompletableFuture<Void> claim = relic.toy().claim("f2");
            relic.process().resume();
            CompletableFuture<Void> right = successor.toy().finish("f1");
            cluster.world.run(200);
            assertThat(late.isCompletedExceptionally()).as("%s", explorer).isTrue();
            assertThat(claim.isCompletedExceptionally()).as("%s", explorer).isTrue();
            assertThat(right).as("%s", explorer).isCompleted();
            assertThat(relic.isGone()).as("%s", explorer).isTrue();
            assertThat(successor.isHealthy()).as("%s", explorer).isTrue();
        });
        assertThat(runs).isGreaterThan(50);
    }
}
