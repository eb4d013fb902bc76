/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers of this release and of the next, which records one more level of formats, in one cluster. */
class NeighbouringReleasesTest {

    private static final ReleaseFormats THIS = ReleaseFormats.OWN;
    private static final int OLD = THIS.levels().newest();
    private static final int NEW = OLD + 1;
    private static final ReleaseFormats NEXT =
            new ReleaseFormats("9.0.0", new VersionRange(THIS.levels().least(), NEW));

    @Test
    void writersKeepTheOldLevelUntilItIsRaisedWhichWaitsForTheLastOldWorker() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedWorker next = coordinator(cluster);
        SimulatedWorker old = healthy(cluster.with(THIS), "orders-w-0");
        assertThatThrownBy(() -> cluster.await(raise(cluster, next)))
                .hasMessageContaining(
                        "worker orders-w-0 of release %s works on levels %s; upgrade it first",
                        THIS.release(), THIS.levels());
        cluster.world.run(10_000);
        assertThat(recorded(cluster)).isEqualTo(OLD);
        assertThat(next.membership().formats().get()).isEqualTo(OLD);
        cluster.await(old.leave(1_000));
        assertThat(cluster.await(raise(cluster, next))).isEqualTo(NEW);
        cluster.world.until(
                "the next release writes the new level",
                2_000,
                () -> next.membership().formats().get() == NEW);
    }

    @Test
    void afterTheRaiseAnOldWorkerIsRefusedWithBothReleases() {
        SimulatedCluster cluster = new SimulatedCluster(2);
        SimulatedWorker next = coordinator(cluster);
        cluster.await(raise(cluster, next));
        SimulatedWorker late = cluster.with(THIS).start("orders-w-2");
        cluster.world.until("the old worker ends", 5_000, late::isGone);
        assertThat(late.lostReason())
                .contains("format level " + NEW + ", recorded by release 9.0.0")
                .contains("this release, " + THIS.release() + ", works on levels " + THIS.levels());
    }

    /** The old worker arrives some milliseconds before, during or after the transaction that raises. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void anOldWorkerAndTheNewLevelAreNeverThereTogether(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedWorker next = coordinator(cluster);
        SimulatedWorker old = cluster.with(THIS).start("orders-w-0");
        cluster.world.run(seed);
        CompletableFuture<Integer> raise = raise(cluster, next);
        cluster.world.until(
                "the raise and the old worker are decided",
                10_000,
                () -> raise.isDone() && (old.isGone() || old.isHealthy()));
        boolean isRaised = !raise.isCompletedExceptionally();
        assertThat(recorded(cluster)).isEqualTo(isRaised ? NEW : OLD);
        assertThat(old.isHealthy()).as("the old worker works, seed %d", seed).isEqualTo(!isRaised);
        if (!isRaised) {
            assertThat(cluster.member("orders-w-0").state()).isEqualTo(WorkerState.HEALTHY);
        }
    }

    /** A worker of the next release, which is the coordinator. */
    private static SimulatedWorker coordinator(SimulatedCluster cluster) {
        SimulatedWorker worker = healthy(cluster.with(NEXT), "orders-w-1");
        cluster.world.until(
                "it is the coordinator", 10_000, () -> cluster.coordinator().isPresent());
        return worker;
    }

    private static SimulatedWorker healthy(SimulatedCluster cluster, String seat) {
        SimulatedWorker worker = cluster.start(seat);
        cluster.world.until(seat + " is healthy", 1_000, worker::isHealthy);
        return worker;
    }

    private static CompletableFuture<Integer> raise(SimulatedCluster cluster, SimulatedWorker coordinator) {
        return coordinator.coordinator().raiseFormat(cluster.store.storeId(), NEW);
    }

    private static int recorded(SimulatedCluster cluster) {
        return cluster.await(
                cluster.database.readAsync(transaction -> StoreRecord.format(transaction, cluster.keyspace)));
    }
}
