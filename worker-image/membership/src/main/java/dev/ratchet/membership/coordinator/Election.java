/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.observe.ClusterView;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.seat.SeatKeeper;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one of the workers the coordinator. The term belongs to an incarnation of a seat and lives exactly as long as
 * that does, so it needs no heartbeat of its own. Whoever sees that the holder is dead or has resigned tries for the
 * next term; the transaction lets one of them through. Healthy workers try first. Safe for use by several threads.
 */
public final class Election {

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final long TIMEOUT_MILLIS = 4_000;

    private final Database database;
    private final Keyspace keyspace;
    private final CoordinatorTable table;
    private final SeatKeeper seat;
    private final String address;
    private final SeatObserver observer;
    private final LeaseSettings lease;
    private final MembershipCounters counters;
    private final Environment environment;
    private final Duty duty;
    private @Nullable Term current;
    /** A try is under way: one of a healthy worker, and one that waits for healthy workers to try first. */
    private final AtomicBoolean soon = new AtomicBoolean();

    private final AtomicBoolean later = new AtomicBoolean();

    public Election(
            Database database,
            Keyspace keyspace,
            SeatKeeper seat,
            String address,
            SeatObserver observer,
            LeaseSettings lease,
            MembershipCounters counters,
            Environment environment,
            Duty duty) {
        this.database = database;
        this.keyspace = keyspace;
        this.table = new CoordinatorTable(keyspace);
        this.seat = seat;
        this.address = address;
        this.observer = observer;
        this.lease = lease;
        this.counters = counters;
        this.environment = environment;
        this.duty = duty;
    }

    /** Begins to take part. */
    public void start() {
        observer.addViewListener(this::consider);
        observer.addListener((dead, incarnation) -> consider(observer.view()));
        seat.addListener((state, reason) -> {
            if (state == WorkerState.MUST_DIE) {
                depose(Long.MAX_VALUE);
            } else {
                observer.refresh();
            }
        });
        consider(observer.view());
    }

    private void consider(ClusterView view) {
        WorkerState state = seat.state();
        if (!seat.isTaken() || state == WorkerState.NEW || state == WorkerState.MUST_DIE) {
            return;
        }
        CoordinatorRecord holder = view.coordinator();
        if (isMine(holder)) {
            lead(holder.getTerm());
            return;
        }
        depose(holder.getTerm());
        boolean healthy = state == WorkerState.HEALTHY;
        if (view.membersVersion() < 0 || !isVacant(holder) || !begin(healthy ? soon : later)) {
            return;
        }
        long delay = healthy ? environment.random().nextLong(lease.beatMillis() / 8 + 1) : lease.beatMillis();
        environment.schedule(delay, () -> tryFor(holder.getTerm(), healthy ? soon : later));
    }

    private boolean isVacant(CoordinatorRecord holder) {
        return holder.getSeat().isEmpty() || observer.isDead(holder.getSeat(), holder.getIncarnation());
    }

    private boolean isMine(CoordinatorRecord holder) {
        return holder.getSeat().equals(seat.name()) && holder.getIncarnation() == seat.incarnation();
    }

    private void tryFor(long formerTerm, AtomicBoolean pending) {
        GuardedCallbacks.begin(() -> database.runAsync(transaction -> {
                    transaction.options().setTimeout(TIMEOUT_MILLIS);
                    return claim(transaction, formerTerm);
                }))
                .whenCompleteAsync(
                        (holder, failure) -> {
                            pending.set(false);
                            if (holder == null) {
                                LOG.info(
                                        "The try for a term failed: seat={} incarnation={} term={} failure={}",
                                        seat.name(),
                                        seat.incarnation(),
                                        formerTerm + 1,
                                        String.valueOf(failure));
                            } else if (isMine(holder)) {
                                lead(holder.getTerm());
                            }
                        },
                        environment.executor());
    }

    private CompletableFuture<CoordinatorRecord> claim(Transaction transaction, long formerTerm) {
        return seat.fence(transaction)
                .thenCompose(held -> table.holder(transaction))
                .thenApply(holder -> {
                    if (holder.getTerm() != formerTerm) {
                        return holder;
                    }
                    CoordinatorRecord next = CoordinatorRecord.newBuilder()
                            .setTerm(formerTerm + 1)
                            .setSeat(seat.name())
                            .setIncarnation(seat.incarnation())
                            .setAddress(address)
                            .build();
                    table.writeHolder(transaction, next);
                    return next;
                });
    }

    private static boolean begin(AtomicBoolean pending) {
        return pending.compareAndSet(false, true);
    }

    private void lead(long number) {
        Term term;
        synchronized (this) {
            if (seat.state() == WorkerState.MUST_DIE || (current != null && current.number() >= number)) {
                return;
            }
            assert number > 0 : "terms begin with 1";
            term = new Term(number, seat.name(), seat.incarnation(), seat.generation(), database, keyspace);
            current = term;
        }
        counters.terms.increment();
        LOG.info("Coordinator: seat={} incarnation={} term={}", seat.name(), seat.incarnation(), number);
        duty.elected(term);
    }

    /** Gives up a term lower than {@code seen}, which somebody else holds. */
    private void depose(long seen) {
        Term former;
        synchronized (this) {
            former = current;
            if (former == null || former.number() >= seen) {
                return;
            }
            current = null;
        }
        LOG.info(
                "No longer coordinator: seat={} incarnation={} term={}",
                seat.name(),
                seat.incarnation(),
                former.number());
        duty.deposed(former);
    }
}
