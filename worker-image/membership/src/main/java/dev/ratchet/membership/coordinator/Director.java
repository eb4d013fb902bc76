/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.Inventory;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.observe.ClusterView;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.DrainOrders;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.CommandRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coordinator does during one term: writes to each seat the command that layout and wanted drains make of it,
 * records the dead as dead, and records of the dead that they hold nothing once others have taken over. It keeps
 * nothing that the store does not have, except which workers have heard of the term. One pass at a time. Safe for use
 * by several threads.
 */
final class Director {

    private static final Logger LOG = LoggerFactory.getLogger(Director.class);
    /** Dead seats recorded in one pass; the others follow in the next. */
    private static final int BURIALS_PER_PASS = 100;

    private static final long NEVER = -2;

    private final Term term;
    private final StoredMembers members;
    private final CoordinatorTable table;
    private final SeatObserver observer;
    private final Holdings holdings;
    private final WorkerCalls calls;
    private final Environment environment;
    private final Runnable changed;
    private final AtomicLong lastSeq = new AtomicLong();
    private final Set<String> greeted = new HashSet<>();
    private long commandedVersion = NEVER;
    private boolean passing;
    private boolean passAgain;
    private boolean closed;

    Director(
            Term term,
            Keyspace keyspace,
            SeatObserver observer,
            Holdings holdings,
            WorkerCalls calls,
            Environment environment,
            Runnable changed) {
        this.term = term;
        this.members = new StoredMembers(keyspace);
        this.table = new CoordinatorTable(keyspace);
        this.observer = observer;
        this.holdings = holdings;
        this.calls = calls;
        this.environment = environment;
        this.changed = changed;
    }

    synchronized void close() {
        closed = true;
    }

    /** Compares what is with what must be and writes the difference; now, or after the pass that runs. */
    void pass() {
        synchronized (this) {
            if (closed) {
                return;
            }
            if (passing) {
                passAgain = true;
                return;
            }
            passing = true;
        }
        ClusterView view = observer.view();
        GuardedCallbacks.run("telling workers of the term", () -> announceTerm(view));
        GuardedCallbacks.begin(() -> commandIfChanged(view))
                .thenCompose(orders -> markDead(view).thenApply(markedDead -> new Pass(orders, markedDead)))
                .whenCompleteAsync((pass, failure) -> finish(view, pass, failure), environment.executor());
    }

    private record Order(String seat, long seq, SeatOrder wanted) {}

    private record Pass(List<Order> orders, int markedDead) {}

    private void finish(ClusterView view, @Nullable Pass pass, @Nullable Throwable failure) {
        boolean again;
        synchronized (this) {
            passing = false;
            again = passAgain;
            passAgain = false;
        }
        if (pass == null) {
            LOG.info(
                    "The coordinator's pass failed, the next heartbeat repeats it: term={} failure={}",
                    term.number(),
                    String.valueOf(failure));
        } else {
            GuardedCallbacks.each("sending a command", pass.orders(), order -> view.member(order.seat())
                    .ifPresent(worker -> send(worker, order)));
            if (!pass.orders().isEmpty() || pass.markedDead() > 0) {
                changed.run();
            }
        }
        if (again) {
            pass();
        }
    }

    /** Says that layout or wanted drains have changed, and passes. */
    void passWithNewOrders() {
        synchronized (this) {
            commandedVersion = NEVER;
        }
        pass();
    }

    private CompletableFuture<List<Order>> commandIfChanged(ClusterView view) {
        synchronized (this) {
            if (commandedVersion == view.membersVersion()) {
                return CompletableFuture.completedFuture(List.of());
            }
            commandedVersion = view.membersVersion();
        }
        return GuardedCallbacks.begin(this::command).whenComplete((orders, failure) -> {
            if (failure != null) {
                synchronized (this) {
                    commandedVersion = NEVER;
                }
            }
        });
    }

    /**
     * Writes the commands that differ from what they must be. They conflict with what was written since they were read:
     * a try that was given up and arrives late would put an older command in the place of a newer one.
     */
    private CompletableFuture<List<Order>> command() {
        return term.write(transaction -> {
            CompletableFuture<DrainOrders> orders = table.orders(transaction);
            CompletableFuture<Map<String, CommandRecord>> commands =
                    table.commands().bySeat(transaction.snapshot());
            CompletableFuture<Map<String, MemberRecord>> records = members.records(transaction.snapshot());
            return records.thenCombine(commands, Known::new)
                    .thenCombine(orders, (known, wanted) -> issue(transaction, known, wanted));
        });
    }

    private record Known(Map<String, MemberRecord> records, Map<String, CommandRecord> commands) {}

    private List<Order> issue(Transaction transaction, Known known, DrainOrders orders) {
        List<Order> issued = new ArrayList<>();
        boolean joining = known.records().entrySet().stream()
                .anyMatch(entry -> isAboutToWork(entry.getValue()) && !orders.mustDrain(entry.getKey()));
        known.records().forEach((seat, record) -> {
            CommandRecord newest = known.commands().getOrDefault(seat, CommandRecord.getDefaultInstance());
            boolean waits = joining && !newest.getDrain() && !orders.isNamed(seat);
            issue(transaction, seat, record, newest, orders, !waits, issued);
            awaitNoLonger(transaction, seat, record, orders);
        });
        return issued;
    }

    /**
     * Of a seat that is to work: its process waits for a layout and has not heard yet that it is in one. The next thing
     * that is recorded of it is that it works, or that it has ended or is dead. Who leaves for it waits until then, as
     * others would have to be given what is to be handed over to it.
     */
    private static boolean isAboutToWork(MemberRecord record) {
        return record.getState() == State.STATE_DRAINING && record.getDrained();
    }

    private void issue(
            Transaction transaction,
            String seat,
            MemberRecord record,
            CommandRecord newest,
            DrainOrders orders,
            boolean mayBegin,
            List<Order> issued) {
        long parking = record.getParks() && record.getIncarnation() == orders.parkIncarnation(seat)
                ? record.getIncarnation()
                : 0;
        SeatOrder wanted = new SeatOrder(mayBegin && orders.mustDrain(seat), parking != 0, orders.timeoutMillis());
        boolean same = newest.getDrain() == wanted.drain()
                && newest.getParkIncarnation() == parking
                && (wanted.works() || newest.getDrainTimeoutMillis() == wanted.timeoutMillis());
        if (same) {
            return;
        }
        long seq = lastSeq.incrementAndGet();
        transaction.addReadConflictKey(table.commands().key(seat));
        table.commands()
                .write(
                        transaction,
                        CommandRecord.newBuilder()
                                .setTerm(term.number())
                                .setSeq(seq)
                                .setDrain(wanted.drain())
                                .setDrainTimeoutMillis(wanted.timeoutMillis())
                                .setParkIncarnation(parking)
                                .build(),
                        seat);
        issued.add(new Order(seat, seq, wanted));
    }

    /** The operator has given up that a process of the seat comes back to its files: what was there is gone. */
    private void awaitNoLonger(Transaction transaction, String seat, MemberRecord record, DrainOrders orders) {
        if (record.getState() == State.STATE_MUST_DIE
                && record.getParkedIncarnation() != 0
                && record.getParkedIncarnation() != orders.parkIncarnation(seat)) {
            members.conflictWithRecord(transaction, seat);
            members.write(
                    transaction,
                    seat,
                    record.toBuilder().clearParkedIncarnation().build());
        }
    }

    private void send(Member worker, Order order) {
        if (!worker.isPresent()) {
            return;
        }
        calls.order(worker, term.number(), order.seq(), order.wanted()).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.debug("Seat {} will find its command at its next heartbeat: {}", worker.seat(), failure.toString());
            }
        });
    }

    /** Tells every worker of the term that has not confirmed it, so that older coordinators are refused everywhere. */
    private void announceTerm(ClusterView view) {
        synchronized (this) {
            greeted.retainAll(view.members().stream().map(Director::life).collect(Collectors.toSet()));
        }
        for (Member worker : view.members()) {
            String life = life(worker);
            synchronized (this) {
                if (!worker.isPresent() || greeted.contains(life)) {
                    continue;
                }
            }
            calls.hello(worker, term.number()).thenRun(() -> {
                synchronized (this) {
                    greeted.add(life);
                }
            });
        }
    }

    private static String life(Member worker) {
        return worker.seat() + "#" + worker.incarnation();
    }

    /** Records as MUST_DIE who was observed to be dead, and as drained who is dead and has nothing left. */
    private CompletableFuture<Integer> markDead(ClusterView view) {
        List<Member> candidates = view.members().stream()
                .filter(member -> !member.seat().equals(term.seat()))
                .filter(member ->
                        member.isPresent() ? observer.isDead(member.seat(), member.incarnation()) : !member.drained())
                .limit(BURIALS_PER_PASS)
                .toList();
        CompletableFuture<Integer> markedDead = CompletableFuture.completedFuture(0);
        for (Member member : candidates) {
            markedDead =
                    markedDead.thenCompose(count -> markOneDead(member).thenApply(wrote -> wrote ? count + 1 : count));
        }
        return markedDead;
    }

    private CompletableFuture<Boolean> markOneDead(Member member) {
        return term.write(transaction -> {
            CompletableFuture<Inventory> held = holdings.recorded(transaction, member.seat());
            return members.record(transaction, member.seat()).thenCombine(held, (record, holds) -> {
                boolean same = record.getIncarnation() == member.incarnation()
                        && record.getState() == StoredMembers.stored(member.state());
                MemberRecord dead = record.toBuilder()
                        .setState(State.STATE_MUST_DIE)
                        .setDrained(holds.isNothing())
                        .build();
                if (!same || dead.equals(record)) {
                    return false;
                }
                members.write(transaction, member.seat(), dead);
                LOG.info(
                        "Seat recorded as dead: term={} otherSeat={} otherIncarnation={} drained={}",
                        term.number(),
                        member.seat(),
                        member.incarnation(),
                        holds.isNothing());
                return true;
            });
        });
    }
}
