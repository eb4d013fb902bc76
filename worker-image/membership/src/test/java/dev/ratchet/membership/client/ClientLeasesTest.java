/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Clients;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.SeatLostException;
import dev.ratchet.membership.Timers;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.EmbeddedDatabaseSupplier;
import dev.ratchet.store.keyspace.Keyspace;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client's lease lasts as long as somebody may still connect with it, and ends once, for ever. */
class ClientLeasesTest {

    private static final UUID CLIENT = new UUID(1, 2);
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final SystemEnvironment system = new SystemEnvironment();
    private final Timers timers = new Timers(system, new CopyOnWriteArrayList<>());
    private final Database database = new EmbeddedDatabaseSupplier(system).get();
    private final Keyspace keyspace = new Keyspace("test/clients");
    private final StoredMembers members = new StoredMembers(keyspace);
    private final Set<String> dead = new HashSet<>();
    private final List<UUID> ended = new CopyOnWriteArrayList<>();
    private final ClientLeases first = leases("w-0");
    private final ClientLeases second = leases("w-1");

    @BeforeEach
    void seats() {
        database.run(transaction -> {
            for (String seat : List.of("w-0", "w-1")) {
                members.write(
                        transaction,
                        seat,
                        MemberRecord.newBuilder().setIncarnation(1).build());
            }
            return null;
        });
    }

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void aLeaseOutlivesABrokenConnectionForATime() {
        ClientLeases.Connection connection = first.connect(CLIENT, "test", true).join();
        connection.close();
        assertThat(lease()).isPresent();

        ClientLeases.Connection again = first.connect(CLIENT, "test", false).join();
        timers.fire();
        assertThat(lease()).as("while it is connected").isPresent();

        again.close();
        timers.fire();
        eventually(() -> assertThat(lease()).isEmpty());
        eventually(() -> assertThat(ended).containsExactly(CLIENT));
        assertThat(first.size()).isZero();
    }

    @Test
    void whatIsOverDoesNotBeginAgain() {
        first.connect(CLIENT, "test", true).join().close();
        timers.fire();
        eventually(() -> assertThat(lease()).isEmpty());

        assertThatThrownBy(() -> second.connect(CLIENT, "test", false).join())
                .hasCauseInstanceOf(ClientLeaseOverException.class);
        assertThat(lease()).isEmpty();
        timers.fire();
        eventually(() -> assertThat(second.size()).as("those it vouches for").isZero());
    }

    @Test
    void aClientThatHasMovedIsNotEndedByWhomItLeft() {
        first.connect(CLIENT, "test", true).join().close();
        ClientLeases.Connection moved = second.connect(CLIENT, "test", false).join();

        timers.fire();
        assertThat(lease().map(Clients.Client::seat)).contains("w-1");
        eventually(() -> assertThat(first.size()).isZero());
        assertThat(ended).isEmpty();

        moved.close();
        timers.fire();
        eventually(() -> assertThat(lease()).isEmpty());
    }

    @Test
    void theClientsOfADeadWorkerGetTimeToConnectElsewhere() {
        first.connect(CLIENT, "test", true).join();
        UUID other = new UUID(3, 4);
        first.connect(other, "test", true).join();
        assertThat(second.adopt("w-0", 1).join()).as("of a living one").isZero();
        dead.add("w-0");

        assertThat(second.adopt("w-0", 3).join())
                .as("of its former incarnations, too")
                .isEqualTo(2);
        assertThat(second.adopt("w-0", 3).join()).isZero();
        ClientLeases.Connection back = second.connect(other, "test", false).join();
        timers.fire();

        eventually(() -> assertThat(lease()).isEmpty());
        assertThat(second.clients().one(database.createTransaction(), other).join())
                .isPresent();
        back.close();
    }

    @Test
    void clientsThatWereAdoptedByACommitOfUnknownResultAreVouchedFor() {
        first.connect(CLIENT, "test", true).join();
        dead.add("w-0");
        ClientLeases unsure = leases(new OpenSeat("w-1"), runningTwice());

        assertThat(unsure.adopt("w-0", 1).join()).as("found by the second try").isZero();
        assertThat(lease().map(Clients.Client::seat)).contains("w-1");
        timers.fire();

        eventually(() -> assertThat(lease()).isEmpty());
        eventually(() -> assertThat(unsure.size()).as("those it vouches for").isZero());
    }

    @Test
    void anEndThatIsWantedNeedsNoTime() {
        first.connect(CLIENT, "test", true).join();
        second.end(CLIENT).join();
        assertThat(lease()).as("not by a worker that does not vouch for it").isPresent();

        first.end(CLIENT).join();
        assertThat(lease()).isEmpty();
        assertThat(ended).containsExactly(CLIENT);
    }

    @Test
    void aWorkerThatHasLostItsSeatVouchesForNobody() {
        ClientLeases lost = leases(new OpenSeat(
                "w-0", () -> CompletableFuture.failedFuture(new SeatLostException("w-0", 1, "it was replaced"))));
        assertThatThrownBy(() -> lost.connect(CLIENT, "test", true).join()).hasCauseInstanceOf(SeatLostException.class);
        assertThat(lease()).isEmpty();
    }

    @Test
    void whoConnectsWhileItsLeaseIsAboutToEndKeepsIt() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        ClientLeases leases = leases(new OpenSeat("w-0", () -> {
            meanwhile.getAndSet(() -> {}).run();
            return CompletableFuture.completedFuture(null);
        }));
        leases.connect(CLIENT, "test", true).join().close();
        CompletableFuture<CompletableFuture<ClientLeases.Connection>> again = new CompletableFuture<>();
        meanwhile.set(() -> again.complete(leases.connect(CLIENT, "test", false)));
        timers.fire();
        assertThat(again.join()).succeedsWithin(Duration.ofNanos(PATIENCE_NANOS));
        assertThat(lease()).isPresent();
        assertThat(ended).isEmpty();
    }

    @Test
    void whoBeginsAnewWhileItsLeaseEndsIsVouchedFor() {
        AtomicReference<Supplier<CompletableFuture<?>>> meanwhile = new AtomicReference<>(ClientLeasesTest::nothing);
        ClientLeases leases = leases(new OpenSeat("w-0"), answeringAfter(meanwhile));
        ClientLeases.Connection former = leases.connect(CLIENT, "test", true).join();
        CompletableFuture<ClientLeases.Connection> anew = new CompletableFuture<>();
        meanwhile.set(() -> leases.connect(CLIENT, "test", true).thenAccept(anew::complete));

        leases.end(CLIENT).join();

        assertThat(lease()).isPresent();
        assertThat(leases.size()).isEqualTo(1);
        assertThat(ended).as("what it holds is that of the new lease").isEmpty();
        former.close();
        anew.join().close();
        timers.fire();
        eventually(() -> assertThat(lease()).isEmpty());
        eventually(() -> assertThat(ended).containsExactly(CLIENT));
        assertThat(leases.size()).isZero();
    }

    @Test
    void aConnectionOfALeaseThatIsOverDoesNotCountForTheNextOne() {
        ClientLeases.Connection former = first.connect(CLIENT, "test", true).join();
        first.end(CLIENT).join();
        ClientLeases.Connection next = first.connect(CLIENT, "test", true).join();

        former.close();

        assertThat(timers.waiting()).as("what would end the lease").isEmpty();
        next.close();
        assertThat(timers.waiting()).hasSize(1);
    }

    @Test
    void aWorkerThatServesTooManyClientsRefusesNewOnesOnly() {
        CompletableFuture<?>[] connected = LongStream.range(0, ClientLeases.CLIENTS_MAX)
                .mapToObj(number -> first.connect(new UUID(1, number), "test", true))
                .toArray(CompletableFuture[]::new);
        UUID another = new UUID(3, 4);
        assertThatThrownBy(() -> first.connect(another, "test", true).join())
                .hasRootCauseMessage("The worker w-0 serves 10000 clients already");
        CompletableFuture.allOf(connected).join();
        assertThat(first.connect(CLIENT, "test", false)).succeedsWithin(Duration.ofNanos(PATIENCE_NANOS));
        assertThat(second.connect(another, "test", true)).succeedsWithin(Duration.ofNanos(PATIENCE_NANOS));
    }

    /** What a timer does takes a transaction, for which nobody waits. */
    private static void eventually(Runnable assertion) {
        long begunNanos = System.nanoTime();
        while (true) {
            try {
                assertion.run();
                return;
            } catch (AssertionError notYet) {
                if (System.nanoTime() - begunNanos > PATIENCE_NANOS) {
                    throw notYet;
                }
                Thread.onSpinWait();
            }
        }
    }

    private Optional<Clients.Client> lease() {
        return database.run(
                transaction -> first.clients().one(transaction, CLIENT).join());
    }

    private ClientLeases leases(String seat) {
        return leases(new OpenSeat(seat));
    }

    private ClientLeases leases(Seat seat) {
        return leases(seat, database);
    }

    /** A database that commits, does not know that it has, and tries again. */
    private Database runningTwice() {
        return (Database) Proxy.newProxyInstance(
                Database.class.getClassLoader(), new Class<?>[] {Database.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("runAsync")) {
                        ((CompletableFuture<?>) method.invoke(database, arguments)).join();
                    }
                    return method.invoke(database, arguments);
                });
    }

    private static CompletableFuture<?> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    /** A database whose next answer comes once something else has happened after the commit. */
    private Database answeringAfter(AtomicReference<Supplier<CompletableFuture<?>>> meanwhile) {
        return (Database) Proxy.newProxyInstance(
                Database.class.getClassLoader(), new Class<?>[] {Database.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(database, arguments);
                    return method.getName().equals("runAsync")
                            ? ((CompletableFuture<?>) answer).thenCompose(value -> meanwhile
                                    .getAndSet(ClientLeasesTest::nothing)
                                    .get()
                                    .thenApply(unused -> value))
                            : answer;
                });
    }

    private ClientLeases leases(Seat seat, Database in) {
        ClientLeases leases = new ClientLeases(
                in, keyspace, seat, members, ToldLiveness.of(List.of(), dead::contains), timers, 1_000);
        leases.onEnd(ended::add);
        return leases;
    }
}
