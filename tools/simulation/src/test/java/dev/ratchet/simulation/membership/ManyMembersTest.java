/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** M14: a cluster of 5,000 seats, all but two of them silent: nothing comes near the limits of a transaction. */
class ManyMembersTest {

    private static final int MEMBERS = 5_000;
    private static final int PER_TRANSACTION = 500;

    @Test
    void m14TheSilentOfFiveThousandMembersAreRecordedAsDeadWhileTheOthersGoOn() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        for (int from = 0; from < MEMBERS; from += PER_TRANSACTION) {
            enter(cluster, from);
        }
        SimulatedWorker one = cluster.start("orders-w-one");
        SimulatedWorker other = cluster.start("orders-w-other");
        cluster.world.until(
                "both work and one leads",
                10_000,
                () -> one.isHealthy()
                        && other.isHealthy()
                        && cluster.coordinator().isPresent());
        cluster.world.run(15_000);
        assertThat(one.isHealthy() && other.isHealthy()).isTrue();
        assertThat(one.seat().incarnation() + other.seat().incarnation()).isEqualTo(2);
        long dead = cluster
                .await(cluster.database.readAsync(
                        transaction -> new StoredMembers(cluster.keyspace).records(transaction.snapshot())))
                .values()
                .stream()
                .filter(record -> record.getState() == State.STATE_MUST_DIE)
                .count();
        assertThat(dead).as("recorded as dead, page by page").isGreaterThanOrEqualTo(300);
    }

    private static void enter(SimulatedCluster cluster, int from) {
        StoredMembers members = new StoredMembers(cluster.keyspace);
        cluster.await(cluster.database.runAsync(transaction -> {
            for (int i = from; i < from + PER_TRANSACTION; i++) {
                String seat = "orders-w-" + i;
                members.write(
                        transaction,
                        seat,
                        MemberRecord.newBuilder()
                                .setIncarnation(1)
                                .setState(State.STATE_HEALTHY)
                                .setProtocol(1)
                                .setPodUid("pod-" + i)
                                .setAddress("10.1.0." + i + ":7400")
                                .setObserverTtlMillis(SimulatedCluster.LEASE.observerTtlMillis())
                                .build());
                members.writeBeat(
                        transaction,
                        seat,
                        BeatRecord.newBuilder().setIncarnation(1).setBeat(1).build());
            }
            return CompletableFuture.completedFuture(null);
        }));
    }
}
