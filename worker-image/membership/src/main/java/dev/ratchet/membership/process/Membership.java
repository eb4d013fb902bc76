/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.process;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.Metric;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.SeatWatch;
import dev.ratchet.membership.WorkerDescription;
import dev.ratchet.membership.coordinator.Coordinator;
import dev.ratchet.membership.coordinator.Duty;
import dev.ratchet.membership.coordinator.Election;
import dev.ratchet.membership.coordinator.Term;
import dev.ratchet.membership.coordinator.WorkerCalls;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.membership.seat.SeatKeeper;
import dev.ratchet.membership.service.CoordinatorService;
import dev.ratchet.membership.service.WorkerService;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.store.keyspace.FormatLevel;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import io.grpc.BindableService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Membership of one worker process, put together. The order of its life: make it, make what works on {@link #seat()},
 * give that to {@link #prepare}, serve {@link #services()} at the worker's address, {@link #join}, and in the end
 * {@link #leave}. Safe for use by several threads; nothing blocks.
 */
public final class Membership {

    private final Database database;
    private final Keyspace keyspace;
    private final StoreRecord store;
    private final String namespace;
    private final String cluster;
    private final WorkerDescription me;
    private final LeaseSettings lease;
    private final WorkerCalls calls;
    private final Environment environment;
    private final SeatObserver observer;
    private final SeatKeeper seat;
    private final List<Duty> duties = new CopyOnWriteArrayList<>();
    private final MembershipCounters counters = new MembershipCounters();
    private volatile Supplier<CircuitReport> circuit = CircuitReport::getDefaultInstance;
    private @Nullable Holdings holdings;
    private @Nullable Coordinator coordinator;
    private boolean joining;

    /**
     * @param store the opened store's record
     * @param namespace namespace of the cluster
     * @param cluster its name
     * @param prober tells refused addresses from silent ones
     * @param calls messages to other workers
     */
    public Membership(
            Database database,
            Keyspace keyspace,
            StoreRecord store,
            String namespace,
            String cluster,
            WorkerDescription me,
            LeaseSettings lease,
            Prober prober,
            WorkerCalls calls,
            Environment environment) {
        this.database = database;
        this.keyspace = keyspace;
        this.store = store;
        this.namespace = namespace;
        this.cluster = cluster;
        this.me = me;
        this.lease = lease;
        this.calls = calls;
        this.environment = environment;
        this.observer = new SeatObserver(database, keyspace, lease, prober, counters, environment);
        keyspace.formats().seen(store.format());
        this.seat = new SeatKeeper(database, keyspace, me, lease, observer, counters, environment);
    }

    /** Names what the seat will hold. Once, before anything else below. */
    public synchronized void prepare(Holdings held) {
        if (holdings != null) {
            throw new IllegalStateException("The membership of " + me.seat() + " is prepared already");
        }
        holdings = held;
        coordinator = new Coordinator(
                database,
                keyspace,
                observer,
                held,
                calls,
                store,
                me.formats(),
                lease,
                () -> circuit.get(),
                environment);
    }

    /**
     * Names what says how the circuit stands, which this process tells the operator while it is the coordinator. It is
     * asked at each heartbeat, must not block, and answers the default instance while there is no circuit.
     */
    public void reportCircuit(Supplier<CircuitReport> reporter) {
        circuit = reporter;
    }

    /** The gRPC services to serve at the worker's address; they answer sensibly before the seat is taken too. */
    public synchronized List<BindableService> services() {
        return List.of(new CoordinatorService(namespace, cluster, coordinator()), new WorkerService(seat));
    }

    /**
     * Takes the seat, as soon as it may be taken. The process must be listening at its address already.
     *
     * @return fails with {@link SeatLostException} where waiting is of no use
     */
    public CompletableFuture<Void> join() {
        Holdings held;
        Coordinator leader;
        synchronized (this) {
            joining = true;
            held = prepared(holdings);
            leader = coordinator();
        }
        observer.start();
        new Election(database, keyspace, seat, me.address(), observer, lease, counters, environment, allDuties(leader))
                .start();
        return seat.take(held);
    }

    private Duty allDuties(Coordinator leader) {
        return new Duty() {
            @Override
            public void elected(Term term) {
                GuardedCallbacks.each("beginning a duty", duties, duty -> duty.elected(term));
                leader.elected(term);
            }

            @Override
            public void deposed(Term term) {
                leader.deposed(term);
                GuardedCallbacks.each("ending a duty", duties, duty -> duty.deposed(term));
            }
        };
    }

    /**
     * Adds what this process does while it is the coordinator.
     *
     * @throws IllegalStateException after {@link #join}, when a term may have begun already
     */
    public synchronized void addDuty(Duty duty) {
        if (joining) {
            throw new IllegalStateException(
                    "The seat " + me.seat() + " is being taken already: add duties before join()");
        }
        duties.add(duty);
    }

    /** As {@link #addDuty} for whoever needs no more than the number of the term, which is 0 when it is over. */
    public void onTerm(LongConsumer listener) {
        addDuty(new Duty() {
            @Override
            public void elected(Term term) {
                listener.accept(term.number());
            }

            @Override
            public void deposed(Term term) {
                listener.accept(0);
            }
        });
    }

    /**
     * Drains within {@code drainTimeoutMillis} and gives the seat free.
     *
     * @return whether nothing was left behind; fails with {@link SeatLostException} if the seat was lost before
     */
    public CompletableFuture<Boolean> leave(long drainTimeoutMillis) {
        return seat.leave(drainTimeoutMillis).whenComplete((drained, failure) -> observer.stop());
    }

    /** Completes with the reason when the seat is lost; never, if the process leaves in order. */
    public CompletableFuture<String> lost() {
        return seat.lost();
    }

    /** The seat of this process. */
    public Seat seat() {
        return seat;
    }

    /** True once the seat is taken. */
    public boolean isJoined() {
        return seat.isTaken();
    }

    /** In which level of formats this process records. */
    public FormatLevel formats() {
        return keyspace.formats();
    }

    /** All seats in the store. */
    public Members members() {
        return new StoredMembers(keyspace);
    }

    /** What was observed of the other seats. */
    public SeatWatch liveness() {
        return observer;
    }

    /** The term that this process holds, or 0. */
    public synchronized long term() {
        return coordinator().term();
    }

    /** To be published. */
    public List<Metric> metrics() {
        return MembershipMetrics.of(this, seat, observer, counters, environment);
    }

    /** What this process answers to the operator. */
    public synchronized Coordinator coordinator() {
        return prepared(coordinator);
    }

    private <T> T prepared(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException(
                    "The membership of " + me.seat() + " is not prepared: call prepare() first");
        }
        return part;
    }
}
