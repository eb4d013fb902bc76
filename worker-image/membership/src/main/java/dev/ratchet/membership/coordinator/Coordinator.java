/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Holdings;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.observe.ClusterView;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process answers to the operator: as the coordinator while it holds the term, else with the way to who does.
 * Every change goes through a transaction that proves the term; what is kept here can vanish. Safe for use by several
 * threads; nothing blocks.
 */
public final class Coordinator implements Duty {

    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    /**
     * Most bytes of the record of a layout, and of that of the wanted drains: a value of the store has 100,000. A
     * thousand seats of the longest names have 49,000.
     */
    private static final int RECORD_BYTES_MAX = 90_000;
    /** Changes that follow each other more closely than this are seen together. */
    private static final long WATCH_PAUSE_MILLIS = 50;

    private final Database database;
    private final Keyspace keyspace;
    private final StoredMembers members;
    private final CoordinatorTable table;
    private final SeatObserver observer;
    private final Holdings holdings;
    private final WorkerCalls calls;
    private final StoreRecord store;
    private final ReleaseFormats formats;
    private final LeaseSettings lease;
    private final Supplier<CircuitReport> circuit;
    private final Environment environment;
    private volatile @Nullable TermState termState;

    /** The parts of one term. */
    private record TermState(Term term, Director director, ClusterReportStream feed) {}

    public Coordinator(
            Database database,
            Keyspace keyspace,
            SeatObserver observer,
            Holdings holdings,
            WorkerCalls calls,
            StoreRecord store,
            ReleaseFormats formats,
            LeaseSettings lease,
            Supplier<CircuitReport> circuit,
            Environment environment) {
        this.database = database;
        this.keyspace = keyspace;
        this.members = new StoredMembers(keyspace);
        this.table = new CoordinatorTable(keyspace);
        this.observer = observer;
        this.holdings = holdings;
        this.calls = calls;
        this.store = store;
        this.formats = formats;
        this.lease = lease;
        this.circuit = circuit;
        this.environment = environment;
        observer.addViewListener(this::viewed);
        observer.addListener((seat, incarnation) -> refresh());
    }

    private void viewed(ClusterView view) {
        TermState current = termState;
        if (current != null) {
            current.director().pass();
            current.feed().refresh(view.members());
        }
    }

    private void refresh() {
        TermState current = termState;
        if (current != null) {
            current.director().pass();
            current.feed().refresh();
        }
    }

    @Override
    public synchronized void elected(Term term) {
        TermState former = termState;
        if (former != null) {
            deposed(former.term());
        }
        ClusterReportStream feed = new ClusterReportStream(
                term, new ClusterReports(keyspace, observer, store, formats, circuit), environment);
        Director director =
                new Director(term, keyspace, observer, holdings, calls, environment, () -> changedByUs(feed));
        TermState current = new TermState(term, director, feed);
        termState = current;
        director.pass();
        watch(current);
    }

    @Override
    public synchronized void deposed(Term term) {
        TermState current = termState;
        if (current != null && current.term().number() == term.number()) {
            termState = null;
            current.director().close();
            current.feed().close();
        }
    }

    /** What the director wrote is news to the observer too, whose next view leads to the next pass. */
    private void changedByUs(ClusterReportStream feed) {
        observer.refresh();
        feed.refresh();
    }

    /** Looks again as soon as the record of a member changes, instead of at the next heartbeat. */
    private void watch(TermState current) {
        GuardedCallbacks.begin(() -> database.runAsync(
                        transaction -> CompletableFuture.completedFuture(transaction.watch(members.versionKey()))))
                .thenCompose(watch -> watch)
                .whenCompleteAsync(
                        (changed, failure) -> {
                            if (term() != current.term().number()) {
                                return;
                            }
                            if (failure == null) {
                                observer.refresh();
                                environment.schedule(WATCH_PAUSE_MILLIS, () -> watch(current));
                            } else {
                                environment.schedule(lease.beatMillis(), () -> watch(current));
                            }
                        },
                        environment.executor());
    }

    /** The term it holds, or 0. */
    public long term() {
        TermState current = termState;
        return current == null ? 0 : current.term().number();
    }

    /** The report that leads to whoever holds the term; with an empty seat while nobody is known to. */
    public ClusterReport redirect() {
        CoordinatorRecord holder = observer.view().coordinator();
        return ClusterReport.newBuilder()
                .setRedirect(true)
                .setTerm(holder.getTerm())
                .setCoordinatorSeat(holder.getSeat())
                .setCoordinatorAddress(holder.getAddress())
                .build();
    }

    /** Subscribes to the reports of the term, or returns false where this process can not make them. */
    public boolean subscribe(ClusterReportStream.Subscriber subscriber) {
        TermState current = termState;
        return current != null && current.feed().subscribe(subscriber);
    }

    public void unsubscribe(ClusterReportStream.Subscriber subscriber) {
        TermState current = termState;
        if (current != null) {
            current.feed().unsubscribe(subscriber);
        }
    }

    /** Puts a layout into force if it follows the one in force, as the contract says. */
    public CompletableFuture<CommitLayoutReply> commitLayout(CommitLayoutRequest request) {
        Layout wanted = request.getLayout();
        int recordBytes = ClusterReports.record(wanted).getSerializedSize();
        if (wanted.getEpoch() < 1 || recordBytes > RECORD_BYTES_MAX) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("A layout has an epoch of at least 1,"
                    + " and its seats a record of at most " + RECORD_BYTES_MAX + " bytes: epoch=" + wanted.getEpoch()
                    + " seats=" + wanted.getSeatsCount() + " recordBytes=" + recordBytes
                    + "; have fewer workers, or a cluster with a shorter name"));
        }
        return inTerm(current -> current.term()
                .write(transaction -> commit(transaction, request))
                .thenApply(reply -> {
                    LOG.info(
                            "Layout: term={} wanted={} from={} committed={} inForce={}",
                            current.term().number(),
                            wanted.getEpoch(),
                            request.getFromEpoch(),
                            reply.getCommitted(),
                            reply.getInForce().getEpoch());
                    newOrders(current);
                    return reply.toBuilder().setTerm(current.term().number()).build();
                }));
    }

    private CompletableFuture<CommitLayoutReply> commit(Transaction transaction, CommitLayoutRequest request) {
        Layout wanted = request.getLayout();
        return table.layout().read(transaction).thenApply(record -> {
            boolean repeated =
                    record.getEpoch() == wanted.getEpoch() && record.getDigest().equals(wanted.getDigest());
            boolean follows = record.getEpoch() == request.getFromEpoch() && wanted.getEpoch() > record.getEpoch();
            LayoutRecord inForce = record;
            if (!repeated && follows) {
                inForce = ClusterReports.record(wanted);
                table.layout().write(transaction, inForce);
                members.changed(transaction);
            }
            assert inForce.getEpoch() >= record.getEpoch() : "the epoch of the layout in force falls";
            return CommitLayoutReply.newBuilder()
                    .setCommitted(repeated || follows)
                    .setInForce(ClusterReports.layout(inForce))
                    .build();
        });
    }

    /**
     * Replaces the lists of seats that must not take new work, of outgoing ones and of those that park. Completes with
     * the term.
     */
    public CompletableFuture<Long> setDraining(SetDrainingRequest request) {
        DrainingRecord wanted = record(request);
        int recordBytes = wanted.getSerializedSize();
        if (recordBytes > RECORD_BYTES_MAX || request.getDrainTimeoutMillis() < 0) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("The names of the seats that drain, are"
                    + " outgoing or park have a record of at most " + RECORD_BYTES_MAX
                    + " bytes, and the timeout is not negative: recordBytes=" + recordBytes + " seats="
                    + wanted.getSeatsCount() + " outgoing=" + wanted.getOutgoingCount() + " parking="
                    + wanted.getParkingCount() + " drainTimeoutMillis=" + request.getDrainTimeoutMillis()
                    + "; drain fewer workers at once"));
        }
        return inTerm(current -> current.term()
                .write(transaction -> table.draining().read(transaction).thenAccept(record -> {
                    if (!record.equals(wanted)) {
                        table.draining().write(transaction, wanted);
                        // Seen also where the answer to this commit is lost, or it arrives late.
                        members.changed(transaction);
                    }
                }))
                .thenApply(done -> {
                    newOrders(current);
                    return current.term().number();
                }));
    }

    /** What is stored: a seat that drains takes nothing of others anyway, and is named once. */
    private static DrainingRecord record(SetDrainingRequest request) {
        Set<String> draining = Set.copyOf(request.getSeatsList());
        return DrainingRecord.newBuilder()
                .addAllSeats(request.getSeatsList())
                .setDrainTimeoutMillis(request.getDrainTimeoutMillis())
                .addAllOutgoing(request.getOutgoingList().stream()
                        .filter(seat -> !draining.contains(seat))
                        .toList())
                .putAllParking(request.getParkingMap())
                .build();
    }

    /**
     * Raises the level of recorded formats of the store that {@code storeId} names. Completes with the level then;
     * fails with {@link IllegalArgumentException} if a worker that may live does not read {@code level}.
     */
    public CompletableFuture<Integer> raiseFormat(String storeId, int level) {
        if (!storeId.equals(store.storeId())) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("Store '" + storeId
                    + "' is not this one, whose id is '" + store.storeId() + "': nothing was raised"));
        }
        return inTerm(current -> current.term()
                .write(transaction -> FormatRaise.to(level, transaction, keyspace, formats))
                .thenApply(recorded -> {
                    LOG.info(
                            "Format level: term={} wanted={} recorded={}",
                            current.term().number(),
                            level,
                            recorded);
                    newOrders(current);
                    return recorded;
                }));
    }

    /** Removes every key of the cluster from the store, if {@code storeId} names this store. */
    public CompletableFuture<Void> clearStore(String storeId) {
        if (!storeId.equals(store.storeId())) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("Store '" + storeId
                    + "' is not this one, whose id is '" + store.storeId() + "': nothing was removed"));
        }
        return inTerm(current -> current.term().write(transaction -> {
            keyspace.clear(transaction);
            LOG.warn(
                    "The store of the cluster is cleared: storeId={} term={}",
                    storeId,
                    current.term().number());
            return CompletableFuture.completedFuture(null);
        }));
    }

    private void newOrders(TermState current) {
        current.director().passWithNewOrders();
        current.feed().refresh();
    }

    private <T> CompletableFuture<T> inTerm(Function<TermState, CompletableFuture<T>> action) {
        TermState current = termState;
        return current == null
                ? CompletableFuture.failedFuture(new NotCoordinatorException(redirect()))
                : action.apply(current);
    }

    /** This process does not hold the term; the report says who does. */
    public static final class NotCoordinatorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotCoordinatorException(ClusterReport redirect) {
            super("Not the coordinator: seat=" + redirect.getCoordinatorSeat() + " address="
                    + redirect.getCoordinatorAddress() + " term=" + redirect.getTerm());
        }
    }
}
