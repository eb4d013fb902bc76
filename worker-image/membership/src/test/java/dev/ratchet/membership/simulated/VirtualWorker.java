/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import dev.ratchet.membership.Membership;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.coordinator.Coordinator;
import dev.ratchet.membership.seat.SeatKeeper;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A worker process in a {@link VirtualCluster}. */
public final class VirtualWorker {

    private final VirtualProcess process;
    private final Membership membership;
    private final ToyWork work;
    private final CuttableDatabase database;
    private final String name;
    private final String address;
    private boolean left;

    VirtualWorker(
            VirtualCluster cluster,
            String seat,
            String podUid,
            long bootNumber,
            long bootNonce,
            String address,
            int driftPerMille) {
        this.name = seat;
        this.address = address;
        process = new VirtualProcess(cluster.world, driftPerMille);
        WorkerDescription me =
                new WorkerDescription(seat, podUid, bootNumber, bootNonce, "node-1", address, "0.1.0", 2, Map.of());
        database = new CuttableDatabase(cluster.connect(process), process);
        membership = new Membership(
                database.database(),
                cluster.keyspace,
                cluster.store,
                "team-a",
                "orders",
                me,
                VirtualCluster.LEASE,
                cluster.prober(process),
                cluster.calls(),
                process);
        work = new ToyWork(database.database(), process, cluster.keyspace, membership.seat());
        membership.prepare(work);
    }

    void join() {
        process.executor().execute(membership::join);
    }

    public CompletableFuture<Boolean> leave(long drainTimeoutMillis) {
        return membership.leave(drainTimeoutMillis).whenComplete((drained, failure) -> left = failure == null);
    }

    public void kill() {
        process.kill();
    }

    /** Nobody listens at its address any more. */
    public boolean isGone() {
        return process.isDead() || left || membership.lost().isDone();
    }

    boolean isIncarnation(String seat, long incarnation) {
        return !isGone()
                && name.equals(seat)
                && membership.isJoined()
                && membership.seat().incarnation() == incarnation;
    }

    public boolean isHealthy() {
        return membership.isJoined() && membership.seat().mayWork();
    }

    public WorkerState state() {
        return membership.seat().state();
    }

    public String lostReason() {
        return membership.lost().getNow("not lost");
    }

    public SeatKeeper seat() {
        return (SeatKeeper) membership.seat();
    }

    public Membership membership() {
        return membership;
    }

    public Coordinator coordinator() {
        return membership.coordinator();
    }

    /** From now on none of its transactions reaches the store. */
    public void cutFromStore() {
        database.cut();
    }

    /** From now on the store's answers to it take so long. */
    public void slowStore(long millis) {
        database.delay(millis);
    }

    public ToyWork work() {
        return work;
    }

    public VirtualProcess process() {
        return process;
    }

    public String address() {
        return address;
    }
}
