/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import com.apple.foundationdb.Range;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.membership.Clients;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Who needs a future beyond its retention: clients whose leases last, names that are bound to it, and the future whose
 * code has submitted it while that is not done. The record lists clients and names; a client in it whose lease is over
 * counts as none. That a retention is over is found once: the future is then parked for one of its clients, and looked
 * at again when that client lets go or its lease ends. So holding costs nothing but the bytes in the record.
 */
public final class Holders {

    /** Clients that hold one future. */
    public static final int CLIENTS_MAX = 64;

    /** Names that are bound to one future. */
    public static final int NAMES_MAX = 16;

    /** Longest name, in characters. */
    public static final int NAME_LENGTH_MAX = 200;

    /** Futures of one request. */
    public static final int REQUEST_MAX = 1_000;

    private static final int PAGE = 200;

    private final FutureStore store;
    private final Clients clients;

    public Holders(FutureStore store, Clients clients) {
        this.store = store;
        this.clients = clients;
    }

    /** What the collector finds. */
    enum Held {
        /** By nobody. */
        NO,
        /** Until somebody says otherwise, who then has it looked at again. */
        UNTIL_TOLD,
        /** By a future that runs: to be looked at again later. */
        FOR_NOW
    }

    /** Lists a client as a holder of a future that is being submitted, or was before. */
    public static void add(LoadedFuture future, ByteString client) {
        boolean known = future.record().getClientsList().contains(client);
        if (!client.isEmpty() && !known && future.record().getClientsCount() < CLIENTS_MAX) {
            future.change().addClients(client);
        }
    }

    /** The 16 bytes that messages and records carry of a client's id, as an id. */
    public static UUID client(ByteString bytes) {
        return Ids.of(bytes).value();
    }

    /** Adds a client to the holders of futures, or takes it out; those that are known and as wanted now. */
    public CompletableFuture<List<FutureId>> hold(ByteString client, Collection<FutureId> ids, boolean release) {
        if (ids.size() > REQUEST_MAX) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("At most " + REQUEST_MAX + " futures at once, not " + ids.size()));
        }
        return holdFrom(client, List.copyOf(ids), 0, release, new ArrayList<>());
    }

    private CompletableFuture<List<FutureId>> holdFrom(
            ByteString client, List<FutureId> ids, int from, boolean release, List<FutureId> done) {
        if (from >= ids.size()) {
            return CompletableFuture.completedFuture(done);
        }
        int to = pieceEnd(ids, from);
        Set<FutureId> some = new LinkedHashSet<>(ids.subList(from, to));
        return store.run(futures -> futures.loadAll(some).thenCompose(loaded -> {
                    if (release) {
                        return letGo(futures, loaded, client).thenApply(unused -> loaded);
                    }
                    loaded.forEach(future -> add(future, client));
                    return CompletableFuture.completedFuture(loaded.stream()
                            .filter(future -> future.record().getClientsList().contains(client))
                            .toList());
                }))
                .thenComposeAsync(
                        held -> {
                            held.forEach(future -> done.add(future.id()));
                            return holdFrom(client, ids, to, release, done);
                        },
                        store.environment().executor());
    }

    /** Behind the futures of one transaction, which are whole blocks where they come together. */
    private static int pieceEnd(List<FutureId> ids, int from) {
        int end = Math.min(ids.size(), from + PAGE);
        while (end < ids.size() && BlockIds.areTogether(ids.get(end - 1), ids.get(end))) {
            end++;
        }
        return end;
    }

    /** Takes a client out of the holders of futures: of a block as one, where all that are in it are among them. */
    private CompletableFuture<Void> letGo(FutureTransaction futures, List<LoadedFuture> some, ByteString client) {
        Map<FutureId, List<LoadedFuture>> blocks = new LinkedHashMap<>();
        for (LoadedFuture future : some) {
            if (future.isInBlock()) {
                blocks.computeIfAbsent(BlockIds.blockOf(future.id()), block -> new ArrayList<>())
                        .add(future);
            } else {
                letGo(futures, future, client);
            }
        }
        return futures.loadAll(blocks.keySet())
                .thenAccept(loaded -> loaded.forEach(block -> {
                    List<LoadedFuture> inside = blocks.getOrDefault(block.id(), List.of());
                    if (inside.size() == block.futuresAfter()) {
                        letGo(futures, block, client);
                    } else {
                        inside.forEach(future -> letGo(futures, future, client));
                    }
                }));
    }

    /** What holds a future whose retention is over. Parks it where that is a client. */
    CompletableFuture<Held> judge(FutureTransaction futures, LoadedFuture future) {
        if (future.record().getBoundNamesCount() > 0) {
            return CompletableFuture.completedFuture(Held.UNTIL_TOLD);
        }
        return livingClient(futures, future).thenCompose(living -> {
            if (living.isPresent()) {
                future.change().setParkedFor(living.get());
                return CompletableFuture.completedFuture(Held.UNTIL_TOLD);
            }
            ByteString parent = future.record().getParent();
            return parent.isEmpty()
                    ? CompletableFuture.completedFuture(Held.NO)
                    : store.keys().record(futures.transaction(), Ids.of(parent)).thenApply(record -> record.filter(
                                    running -> Lifecycle.isOpen(running.getState()))
                            .map(running -> Held.FOR_NOW)
                            .orElse(Held.NO));
        });
    }

    /** The first client in the record whose lease lasts; those before it are taken out. */
    private CompletableFuture<Optional<ByteString>> livingClient(FutureTransaction futures, LoadedFuture future) {
        if (future.record().getClientsCount() == 0) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        ByteString client = future.record().getClients(0);
        return clients.one(futures.transaction(), client(client)).thenCompose(found -> {
            if (found.isPresent()) {
                return CompletableFuture.completedFuture(Optional.of(client));
            }
            unpark(future, client);
            List<ByteString> others = List.copyOf(
                    future.record().getClientsList().subList(1, future.record().getClientsCount()));
            future.change().clearClients().addAllClients(others);
            return livingClient(futures, future);
        });
    }

    private static void unpark(LoadedFuture future, ByteString client) {
        if (!client.isEmpty() && future.record().getParkedFor().equals(client)) {
            future.change().clearParkedFor();
        }
    }

    /** Takes a client out of the holders, and has the future looked at again. */
    private void letGo(FutureTransaction futures, LoadedFuture future, ByteString client) {
        List<ByteString> others = future.record().getClientsList().stream()
                .filter(other -> !other.equals(client))
                .toList();
        if (others.size() == future.record().getClientsCount()) {
            return;
        }
        future.change().clearClients().addAllClients(others);
        unpark(future, client);
        lookAgain(futures, future);
    }

    private static void lookAgain(FutureTransaction futures, LoadedFuture future) {
        if (FutureRemoval.isCollectable(future.state()) && future.record().getExpiresWallMillis() == 0) {
            Expiry.schedule(futures, future);
        }
    }

    /** Lets go of everything that is parked for a client whose lease is over; of how many. Repeating it is harmless. */
    public CompletableFuture<Integer> release(UUID client) {
        ByteString bytes = bytes(client);
        Range all = store.keys().parked.range(client);
        return store.run(futures -> FutureRemoval.first(futures.transaction(), all, PAGE)
                        .thenCompose(rows -> {
                            rows.forEach(row -> futures.drop(FutureIndex.PARKED, row));
                            return futures.loadAll(rows.stream()
                                            .map(row -> new FutureId(store.keys()
                                                    .parked
                                                    .elements(row.getKey())
                                                    .getUUID(1)))
                                            .toList())
                                    .thenApply(loaded -> {
                                        loaded.forEach(future -> letGo(futures, future, bytes));
                                        return rows.size();
                                    });
                        }))
                .thenComposeAsync(
                        released -> released < PAGE
                                ? CompletableFuture.completedFuture(released)
                                : release(client).thenApply(more -> more + released),
                        store.environment().executor());
    }

    /** Lets go of what is parked for clients whose end nobody has acted upon: what a crash has left. */
    public CompletableFuture<Integer> releaseForgotten() {
        Range all = store.keys().parked.range();
        return releaseForgotten(all.begin, all.end, 0);
    }

    private CompletableFuture<Integer> releaseForgotten(byte[] from, byte[] end, int before) {
        record Next(Optional<UUID> client, boolean over) {}
        return store.read(transaction -> FutureRemoval.first(transaction, new Range(from, end), 1)
                        .thenCompose(rows -> {
                            if (rows.isEmpty()) {
                                return CompletableFuture.completedFuture(new Next(Optional.empty(), false));
                            }
                            UUID client = store.keys()
                                    .parked
                                    .elements(rows.get(0).getKey())
                                    .getUUID(0);
                            return clients.one(transaction, client)
                                    .thenApply(found -> new Next(Optional.of(client), found.isEmpty()));
                        }))
                .thenComposeAsync(
                        next -> {
                            if (next.client().isEmpty()) {
                                return CompletableFuture.completedFuture(before);
                            }
                            UUID client = next.client().get();
                            CompletableFuture<Integer> released =
                                    next.over() ? release(client) : CompletableFuture.completedFuture(0);
                            return released.thenCompose(count ->
                                    releaseForgotten(store.keys().parked.range(client).end, end, before + count));
                        },
                        store.environment().executor());
    }

    /**
     * Binds a name to a future and to no other.
     *
     * @return fails with IllegalArgumentException where the future is unknown or has too many names
     */
    public CompletableFuture<Void> bind(String tenant, String name, FutureId id) {
        byte[] key = nameKey(tenant, name);
        return store.run(futures -> futures.transaction().get(key).thenCompose(bound -> futures.load(id)
                .thenCompose(found -> {
                    LoadedFuture future = found.filter(known ->
                                    SchedulingSpecs.tenant(known.record()).equals(tenant))
                            .orElseThrow(() -> new IllegalArgumentException(
                                    "The tenant " + tenant + " has no future with the id " + id));
                    if (future.record().getBoundNamesList().contains(name)) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    if (future.record().getBoundNamesCount() >= NAMES_MAX) {
                        throw new IllegalArgumentException("A future has at most " + NAMES_MAX + " names, and " + id
                                + " has " + future.record().getBoundNamesList());
                    }
                    future.change().addBoundNames(name);
                    return bound == null
                            ? CompletableFuture.<Void>completedFuture(null)
                            : lose(futures, Ids.read(bound, 0), name);
                })));
    }

    /** Takes a name away; from what. */
    public CompletableFuture<Optional<FutureId>> unbind(String tenant, String name) {
        byte[] key = nameKey(tenant, name);
        return store.run(futures -> futures.transaction().get(key).thenCompose(bound -> {
            if (bound == null) {
                return CompletableFuture.completedFuture(Optional.<FutureId>empty());
            }
            FutureId id = Ids.read(bound, 0);
            return lose(futures, id, name).thenApply(unused -> Optional.of(id));
        }));
    }

    /** What a name is bound to. */
    public CompletableFuture<Optional<FutureId>> bound(String tenant, String name) {
        byte[] key = nameKey(tenant, name);
        return store.read(transaction -> transaction.get(key))
                .thenApply(value -> Optional.ofNullable(value).map(bytes -> Ids.read(bytes, 0)));
    }

    private static CompletableFuture<Void> lose(FutureTransaction futures, FutureId id, String name) {
        return futures.load(id)
                .thenAccept(found -> found.ifPresent(future -> {
                    List<String> others = future.record().getBoundNamesList().stream()
                            .filter(other -> !other.equals(name))
                            .toList();
                    future.change().clearBoundNames().addAllBoundNames(others);
                    lookAgain(futures, future);
                }));
    }

    /** Forgets who holds a future that is being removed. */
    static void forget(LoadedFuture future) {
        future.change().clearClients().clearParkedFor().clearBoundNames();
    }

    private byte[] nameKey(String tenant, String name) {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX || tenant.isEmpty()) {
            throw new IllegalArgumentException("A name that is bound has 1 to " + NAME_LENGTH_MAX
                    + " characters, and belongs to a tenant; not '" + name + "' of '" + tenant + "'");
        }
        return store.keys().bound.key(tenant, name);
    }

    private static ByteString bytes(UUID client) {
        return ByteString.copyFrom(ByteBuffer.allocate(Ids.BYTES)
                .putLong(client.getMostSignificantBits())
                .putLong(client.getLeastSignificantBits())
                .array());
    }
}
