/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.futures.nesting.Loopback;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.coordinator.Coordinator;
import dev.ratchet.membership.coordinator.Duty;
import dev.ratchet.membership.coordinator.Term;
import dev.ratchet.membership.process.Membership;
import dev.ratchet.membership.seat.SeatKeeper;
import dev.ratchet.membership.service.GrpcWorkerCalls;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.store.keyspace.Keyspace;
import io.grpc.BindableService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A worker process in a {@link SimulatedCluster}: membership and its work, as the real process puts them together. */
public final class SimulatedWorker {

    private final SimulatedCluster cluster;
    private final VirtualProcess process;
    private final SlowDatabase database;
    private final Membership membership;
    private final Work work;
    private final String name;
    private final String address;
    private Optional<Term> duty = Optional.empty();
    private boolean left;
    private boolean lost;

    /**
     * What the work of a worker is made of.
     *
     * @param address where its services are
     */
    public record Parts(
            VirtualProcess process,
            String address,
            Database database,
            Keyspace keyspace,
            Seat seat,
            Members members,
            Liveness liveness,
            Peers peers,
            Loopback loopback) {}

    SimulatedWorker(
            SimulatedCluster cluster,
            String seat,
            String podUid,
            long bootNumber,
            long bootNonce,
            String address,
            int driftPerMille) {
        this.cluster = cluster;
        this.name = seat;
        this.address = address;
        Defects defects = cluster.defects();
        int drift = driftPerMille + defects.driftPerMille().getOrDefault(seat, 0);
        process = new VirtualProcess(cluster.world, seat + "#" + bootNonce, drift);
        database = new SlowDatabase(cluster.engine.database(process, defects.between(cluster.keyspace)), process);
        process.makeFrail();
        Peers peers = (peer, to) -> {
            process.mayStray("a channel to " + peer);
            return cluster.network.channel(process, to);
        };
        Keyspace keyspace =
                new Keyspace(cluster.keyspace.name()); // which level is recorded each process sees for itself
        membership = new Membership(
                database.database(),
                keyspace,
                cluster.store,
                SimulatedCluster.NAMESPACE,
                SimulatedCluster.NAME,
                description(podUid, bootNumber, bootNonce),
                SimulatedCluster.LEASE,
                cluster.network.prober(process),
                new GrpcWorkerCalls(peers),
                process);
        work = cluster.work()
                .make(new Parts(
                        process,
                        address,
                        database.database(),
                        keyspace,
                        defects.seat(membership.seat()),
                        membership.members(),
                        membership.liveness(),
                        peers,
                        cluster.network.loopback(process)));
        membership.prepare(work);
        List<BindableService> services = new ArrayList<>(membership.services());
        services.addAll(work.services());
        cluster.network.serve(address, process, services);
        membership.addDuty(new Duty() {
            @Override
            public void elected(Term term) {
                duty = Optional.of(term);
            }

            @Override
            public void deposed(Term term) {
                duty = Optional.empty();
            }
        });
        membership.onTerm(work::elected);
        work.duties().forEach(membership::addDuty);
        membership.lost().thenAccept(reason -> {
            lost = true;
            cluster.world.note(process + " lost its seat: " + reason);
        });
    }

    private WorkerDescription description(String podUid, long bootNumber, long bootNonce) {
        return new WorkerDescription(
                name,
                podUid,
                bootNumber,
                bootNonce,
                "node-1",
                address,
                cluster.release(),
                2,
                Map.of(),
                cluster.hasVolumes());
    }

    void join() {
        process.executor().execute(() -> membership.join().whenComplete((taken, failure) -> {
            if (failure == null) {
                cluster.world.note(process + " took its seat, incarnation " + seat().incarnation());
                work.joined();
            }
        }));
        if (!work.outlivesSeat()) {
            membership.lost().thenAccept(reason -> process.schedule(1, this::kill));
        }
    }

    /** As TERM: drains, gives its seat free and ends. */
    public CompletableFuture<Boolean> leave(long drainTimeoutMillis) {
        return membership.leave(drainTimeoutMillis).whenComplete((drained, failure) -> {
            left = failure == null;
            cluster.world.note(process + " has ended in order: " + left);
            process.schedule(1, this::kill);
        });
    }

    /** As kill -9. */
    public void kill() {
        if (!process.isDead()) {
            process.kill();
            cluster.network.died(process);
            work.ended();
        }
    }

    /** Nobody listens at its address any more. */
    public boolean isGone() {
        return process.isDead() || left || lost;
    }

    public boolean isHealthy() {
        return !process.isDead() && membership.isJoined() && membership.seat().mayWork();
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

    /** The term in which it has the duty of the coordinator, as whoever added one is told. */
    public Optional<Term> duty() {
        return duty;
    }

    /** From now on none of its transactions reaches the store. */
    public void cutFromStore() {
        cluster.network.cut(process, Network.STORE);
        cluster.network.cut(Network.STORE, process);
    }

    /** From now on the store's answers to it take so long. */
    public void slowStore(long millis) {
        database.delay(millis);
    }

    /** What it works on. */
    public Work work() {
        return work;
    }

    /** What it works on, where that is {@link ToyWork}. */
    public ToyWork toy() {
        return (ToyWork) work;
    }

    public VirtualProcess process() {
        return process;
    }

    public String name() {
        return name;
    }

    public String address() {
        return address;
    }

    @Override
    public String toString() {
        return process.name();
    }
}
