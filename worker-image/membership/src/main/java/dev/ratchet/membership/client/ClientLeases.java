/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.client;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.async.AsyncUtil;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.Environment.Cancellable;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients that this worker vouches for. A client's lease lasts while it is connected to a worker, and for a time to
 * live after its connection broke or its worker died, so that it may connect elsewhere. The worker's own heartbeat
 * keeps all of them: a connected client costs the store nothing. A lease ends by the transaction that removes its
 * record, which only the worker that vouches for it writes; whoever wants to act on the end reads that record. Safe for
 * use by several threads.
 */
public final class ClientLeases {

    /** After what time without a connection a lease is over. */
    public static final long TTL_MILLIS = 30_000;

    /** Clients that one worker vouches for. */
    public static final int CLIENTS_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ClientLeases.class);

    /** Clients taken over by one transaction. */
    private static final int PAGE = 100;

    private static final long RETRY_MILLIS = 1_000;

    private final Database database;
    private final ClientRecords records;
    private final Seat seat;
    private final Members members;
    private final Liveness liveness;
    private final Environment environment;
    private final long ttlMillis;
    private final Map<UUID, Vouched> vouched = new HashMap<>();
    private final List<Consumer<UUID>> listeners = new CopyOnWriteArrayList<>();

    /** @param ttlMillis how long a client may be away */
    public ClientLeases(
            Database database,
            Keyspace keyspace,
            Seat seat,
            Members members,
            Liveness liveness,
            Environment environment,
            long ttlMillis) {
        this.database = database;
        this.records = new ClientRecords(keyspace);
        this.seat = seat;
        this.members = members;
        this.liveness = liveness;
        this.environment = environment;
        this.ttlMillis = ttlMillis;
    }

    /** One client here: how many connections it has, and when its lease ends if it has none. */
    private static final class Vouched {
        private int connections;
        /** How many times it was about to be recorded anew, and how many of those are through. */
        private long begun;

        private long through;
        private @Nullable Cancellable end;
    }

    /** Whom this worker vouched for, and how many times it had recorded that. */
    private record Before(@Nullable Vouched vouched, long through) {}

    /** A client's connection to this worker. */
    @FunctionalInterface
    public interface Connection extends AutoCloseable {
        /** Says that the connection is no more; the lease lasts for another time to live. Once. */
        @Override
        void close();
    }

    /**
     * Connects a client to this worker, whoever vouched for it before.
     *
     * @param name what it calls itself, for people
     * @param begins whether the client has no lease yet; one that had one before must still have it
     * @return fails with {@link ClientLeaseOverException}, or with IllegalStateException where this worker vouches for
     *     too many
     */
    public CompletableFuture<Connection> connect(UUID client, String name, boolean begins) {
        Vouched present;
        synchronized (this) {
            if (vouched.size() >= CLIENTS_MAX && !vouched.containsKey(client)) {
                return CompletableFuture.failedFuture(new IllegalStateException(
                        "The worker " + seat.name() + " serves " + CLIENTS_MAX + " clients already"));
            }
            present = vouched.computeIfAbsent(client, unused -> new Vouched());
            present.connections++;
            present.begun++;
            stopTimer(present);
        }
        return database.runAsync(transaction -> seat.fence(transaction)
                        .thenCompose(unused -> records.record(transaction, client))
                        .thenAccept(before -> {
                            if (before.isEmpty() && !begins) {
                                throw new ClientLeaseOverException(client);
                            }
                            vouch(transaction, client, before, name);
                        }))
                .handle((done, failure) -> {
                    synchronized (this) {
                        present.through++;
                    }
                    if (failure != null) {
                        disconnected(client, present);
                        throw failure instanceof CompletionException wrapped
                                ? wrapped
                                : new CompletionException(failure);
                    }
                    return () -> disconnected(client, present);
                });
    }

    /** Ends the lease of a client that needs it no more, if this worker vouches for it. */
    public CompletableFuture<Void> end(UUID client) {
        return end(client, false);
    }

    private CompletableFuture<Void> end(UUID client, boolean onlyIfAway) {
        Before before = before(client);
        return database.runAsync(transaction -> seat.fence(transaction)
                        .thenCompose(unused -> records.record(transaction, client))
                        .thenApply(record -> {
                            if (onlyIfAway && isConnected(client)) {
                                return Ended.NO;
                            }
                            record.filter(this::isOwn).ifPresent(own -> records.remove(transaction, client, own));
                            return record.isEmpty() || isOwn(record.get()) ? Ended.YES : Ended.ELSEWHERE;
                        }))
                .thenAccept(ended -> {
                    if (ended != Ended.NO && forget(client, before) && ended == Ended.YES) {
                        LOG.info("the lease of a client is over client={} seat={}", client, seat.name());
                        GuardedCallbacks.each("the end of a client", listeners, listener -> listener.accept(client));
                    }
                });
    }

    /** What has come of the wish to end a lease; ELSEWHERE: another worker vouches for the client now. */
    private enum Ended {
        YES,
        NO,
        ELSEWHERE
    }

    /**
     * Vouches for the clients of a dead incarnation, each for a time to live in which it may connect. Anybody may do
     * it, several at once.
     *
     * @return how many there were
     */
    public CompletableFuture<Integer> adopt(String deadSeat, long incarnation) {
        return database.runAsync(transaction -> adoptPage(transaction, deadSeat, incarnation))
                .thenCompose(adopted -> adopted < PAGE
                        ? CompletableFuture.completedFuture(adopted)
                        : adopt(deadSeat, incarnation).thenApply(more -> more + adopted));
    }

    /** Is told of each client whose lease this worker has ended, on any thread; must not block. */
    public void onEnd(Consumer<UUID> listener) {
        listeners.add(listener);
    }

    /** The clients in the store. */
    public Clients clients() {
        return records;
    }

    /** How many clients this worker vouches for. */
    public synchronized int size() {
        return vouched.size();
    }

    private CompletableFuture<Integer> adoptPage(Transaction transaction, String deadSeat, long incarnation) {
        return seat.fence(transaction)
                .thenCompose(unused -> members.one(transaction, deadSeat))
                .thenCompose(member -> {
                    boolean dead = member.isEmpty()
                            || member.get().incarnation() > incarnation
                            || member.get().state() == WorkerState.MUST_DIE
                            || liveness.isDead(deadSeat, incarnation);
                    return dead
                            ? records.vouchedBy(transaction, deadSeat, incarnation, PAGE)
                            : CompletableFuture.completedFuture(List.<UUID>of());
                })
                .thenCompose(clients -> AsyncUtil.whenAll(clients.stream()
                                .map(client -> records.record(transaction, client)
                                        .thenAccept(before -> before.ifPresent(record -> {
                                            expectToConnect(client);
                                            vouch(transaction, client, before, record.getName());
                                        })))
                                .toList())
                        .thenApply(unused -> clients.size()));
    }

    /**
     * Begins the time in which a client may connect. Before its adoption is committed: after a commit of unknown result
     * the next attempt finds nothing to adopt. A client that was not adopted then is forgotten when its time is over.
     */
    private synchronized void expectToConnect(UUID client) {
        Vouched present = vouched.computeIfAbsent(client, unused -> new Vouched());
        present.begun++;
        present.through++;
        if (present.connections == 0) {
            startTimer(client, present);
        }
    }

    private void vouch(Transaction transaction, UUID client, Optional<ClientRecord> before, String name) {
        ClientRecord.Builder record = before.map(ClientRecord::toBuilder)
                .orElseGet(() -> ClientRecord.newBuilder().setSinceWallMillis(environment.wallClockMillis()));
        records.write(
                transaction,
                client,
                before,
                record.setSeat(seat.name())
                        .setIncarnation(seat.incarnation())
                        .setName(name)
                        .build());
    }

    private boolean isOwn(ClientRecord record) {
        return record.getSeat().equals(seat.name()) && record.getIncarnation() == seat.incarnation();
    }

    private synchronized boolean isConnected(UUID client) {
        Vouched present = vouched.get(client);
        return present != null && present.connections > 0;
    }

    private synchronized Before before(UUID client) {
        Vouched present = vouched.get(client);
        return new Before(present, present == null ? 0 : present.through);
    }

    /** Whether nobody has connected since; who has is vouched for by a record that may be a new one. */
    private synchronized boolean forget(UUID client, Before before) {
        Vouched present = vouched.get(client);
        if (present != before.vouched() || (present != null && present.begun != before.through())) {
            return false;
        }
        if (present != null) {
            vouched.remove(client);
            stopTimer(present);
        }
        return true;
    }

    private synchronized void disconnected(UUID client, Vouched present) {
        if (--present.connections == 0 && vouched.get(client) == present) {
            startTimer(client, present);
        }
    }

    private synchronized void startTimer(UUID client, Vouched present) {
        stopTimer(present);
        present.end = environment.schedule(ttlMillis, () -> endUnlessConnected(client));
    }

    private static void stopTimer(Vouched present) {
        if (present.end != null) {
            present.end.cancel();
            present.end = null;
        }
    }

    private void endUnlessConnected(UUID client) {
        if (isConnected(client) || seat.state() == WorkerState.MUST_DIE) {
            return;
        }
        var unused = end(client, true).exceptionally(failure -> {
            LOG.warn("the lease of a client could not be ended, trying again client={}", client, failure);
            synchronized (this) {
                Vouched present = vouched.get(client);
                if (present != null && present.connections == 0) {
                    stopTimer(present);
                    present.end = environment.schedule(RETRY_MILLIS, () -> endUnlessConnected(client));
                }
            }
            return null;
        });
    }
}
