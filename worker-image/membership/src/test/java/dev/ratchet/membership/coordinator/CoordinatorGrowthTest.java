/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.Claims;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.MembershipCounters;
import dev.ratchet.membership.SeatOrder;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.membership.observe.SeatObserver;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.coordinator.v1.CircuitReport;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.CoordinatorRecord;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.protocol.release.VersionRange;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.fixture.TransactionKinds;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * In the largest cluster that the operator accepts nothing that the coordinator reads and writes comes near the limits
 * of {@link Growth}: a thousand workers, whose names have 40 characters of the cluster's, and as many again that an
 * upgrade puts in their place at once.
 */
class CoordinatorGrowthTest {

    private static final int WORKERS = 1_000;
    private static final String CLUSTER = "c".repeat(40);
    private static final List<String> PRESENT = seats(0, WORKERS);
    private static final List<String> NEXT = seats(WORKERS, 2 * WORKERS);
    private static final String LEADER = PRESENT.getFirst();
    private static final String DEAD = NEXT.getLast();
    private static final long DRAIN_TIMEOUT_MILLIS = 86_400_000;

    private static final ReleaseFormats FIRST = new ReleaseFormats("0.1.0", new VersionRange(1, 1));
    private static final int WRITTEN_AT_ONCE = 500;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final SystemEnvironment environment = new SystemEnvironment();
    private final Database database = measured.wrapper().apply(StoreUnderTest.open(environment));
    private final Keyspace keyspace = new Keyspace("team-a/" + CLUSTER);
    private final StoredMembers members = new StoredMembers(keyspace);
    private final CoordinatorTable table = new CoordinatorTable(keyspace);
    private final StoreRecord store = database.run(
            transaction -> StoreRecord.openOrCreate(transaction, keyspace, "team-a/c", FIRST, environment.random())
                    .join());
    private final SeatObserver observer = new SeatObserver(
            database,
            keyspace,
            LeaseSettings.DEFAULT,
            address -> CompletableFuture.completedFuture(Prober.Result.ANSWERED),
            new MembershipCounters(),
            environment);
    private final Told told = new Told();
    private final Coordinator coordinator = new Coordinator(
            database,
            keyspace,
            observer,
            new Claims(0),
            told,
            store,
            ReleaseFormats.OWN,
            LeaseSettings.DEFAULT,
            CircuitReport::getDefaultInstance,
            environment);

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void noTransactionGrowsWithTheSeatsAroundIt() {
        write(2 * WORKERS, this::enter);
        write(
                Growth.RECORDS,
                (transaction, number) -> transaction.set(keyspace.root().pack("growth " + number), new byte[100]));
        await(observer.refresh());
        lead();
        Reports reports = new Reports();
        assertThat(coordinator.subscribe(reports)).isTrue();
        Awaitility.await("the dead one to be proved to hold nothing")
                .atMost(LIMIT)
                .until(() -> reports.drained(DEAD));

        assertThat(commit(0, 1, PRESENT).getCommitted()).isTrue();
        told.awaitDraining(2 * WORKERS - WORKERS - 1);
        drain(PRESENT, PRESENT, List.of());
        Set<String> outgoing =
                database.run(transaction -> table.outgoing(transaction).join());
        assertThat(outgoing)
                .as("seats that are given no state of others, though each is named once")
                .containsExactlyInAnyOrderElementsOf(PRESENT);
        told.awaitDraining(2 * WORKERS - 1);
        drain(List.of(), PRESENT, List.of());
        told.awaitDraining(WORKERS - 1);
        assertThat(commit(1, 2, NEXT).getCommitted()).isTrue();
        told.awaitDraining(WORKERS);

        int newest = ReleaseFormats.OWN.levels().newest();
        assertThat(await(coordinator.raiseFormat(store.storeId(), newest))).isEqualTo(newest);
        await(coordinator.clearStore(store.storeId()));
        Set<String> kinds = TransactionKinds.in("dev.ratchet.membership.coordinator");
        // That is of a cluster, which another test has.
        kinds.removeIf(kind -> kind.startsWith("Election."));
        Growth.assertBounded(measured, kinds, Map.of());
    }

    @Test
    void whatNoValueOfTheStoreHoldsIsRefusedWithItsSizeAndWhatHelps() {
        lead();
        assertThatThrownBy(() -> drain(PRESENT, NEXT, List.of()))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 90000 bytes")
                .hasMessageContaining("seats=1000 outgoing=1000 parking=0")
                .hasMessageContaining("drain fewer workers at once");
        assertThatThrownBy(() -> drain(List.of(), PRESENT, NEXT)).hasMessageContaining("outgoing=1000 parking=1000");
        List<String> long100 = PRESENT.stream()
                .map(seat -> seat + "x".repeat(100 - seat.length()))
                .toList();
        assertThatThrownBy(() -> commit(0, 1, long100))
                .hasMessageContaining("seats=1000 recordBytes=102002; have fewer workers");
        DrainingRecord draining =
                database.run(transaction -> table.draining().read(transaction).join());
        assertThat(draining).isEqualTo(DrainingRecord.getDefaultInstance());
        LayoutRecord layout =
                database.run(transaction -> table.layout().read(transaction).join());
        assertThat(layout).isEqualTo(LayoutRecord.getDefaultInstance());
    }

    /** It holds the first term, by the store and by what it believes. */
    private void lead() {
        database.run(transaction -> {
            table.writeHolder(
                    transaction,
                    CoordinatorRecord.newBuilder()
                            .setTerm(1)
                            .setSeat(LEADER)
                            .setIncarnation(1)
                            .build());
            return null;
        });
        coordinator.elected(new Term(1, LEADER, 1, store.generation(), database, keyspace));
    }

    private void drain(List<String> seats, List<String> outgoing, List<String> parking) {
        SetDrainingRequest.Builder request = SetDrainingRequest.newBuilder()
                .addAllSeats(seats)
                .addAllOutgoing(outgoing)
                .setDrainTimeoutMillis(DRAIN_TIMEOUT_MILLIS);
        parking.forEach(seat -> request.putParking(seat, 1));
        await(coordinator.setDraining(request.build()));
    }

    private CommitLayoutReply commit(long from, long epoch, List<String> seats) {
        return await(coordinator.commitLayout(CommitLayoutRequest.newBuilder()
                .setFromEpoch(from)
                .setLayout(Layout.newBuilder().setEpoch(epoch).addAllSeats(seats))
                .build()));
    }

    /** What the worker of a large pod says of itself. */
    private void enter(Transaction transaction, int number) {
        String seat = seat(number);
        MemberRecord.Builder record = MemberRecord.newBuilder()
                .setIncarnation(1)
                .setState(seat.equals(DEAD) ? State.STATE_MUST_DIE : State.STATE_HEALTHY)
                .setPodUid("01234567-89ab-cdef-0123-456789abcdef")
                .setHost("ip-10-128-123-123.eu-central-1.compute.internal")
                .setAddress("10.128.123.123:7400")
                .setVersion("0.2.0")
                .setThreads(16)
                .setObserverTtlMillis(3_600_000)
                .setFormatLeast(1)
                .setFormat(ReleaseFormats.OWN.levels().newest());
        BeatRecord.Builder beat = BeatRecord.newBuilder().setIncarnation(1).setBeat(1);
        for (int label = 0; label < 5; label++) {
            record.putLabels("topology.kubernetes.io/label-" + label, "eu-central-1a");
            beat.putFreeResources("example.com/resource-" + label, 1L << 40);
        }
        members.write(transaction, seat, record.build());
        members.writeBeat(transaction, seat, beat.build());
    }

    private void write(int count, ObjIntConsumer<Transaction> row) {
        for (int from = 0; from < count; from += WRITTEN_AT_ONCE) {
            int first = from;
            database.run(transaction -> {
                IntStream.range(first, Math.min(count, first + WRITTEN_AT_ONCE))
                        .forEach(number -> row.accept(transaction, number));
                return null;
            });
        }
    }

    private static List<String> seats(int from, int to) {
        return IntStream.range(from, to).mapToObj(CoordinatorGrowthTest::seat).toList();
    }

    private static String seat(int number) {
        return CLUSTER + "-w-" + number;
    }

    private static <T> T await(CompletableFuture<T> future) {
        return future.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Which seats were told to drain last. */
    private static final class Told implements WorkerCalls {
        private final Set<String> draining = ConcurrentHashMap.newKeySet();

        @Override
        public CompletableFuture<Void> hello(Member worker, long term) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> order(Member worker, long term, long seq, SeatOrder order) {
            if (order.drain()) {
                draining.add(worker.seat());
            } else {
                draining.remove(worker.seat());
            }
            return CompletableFuture.completedFuture(null);
        }

        void awaitDraining(int count) {
            Awaitility.await(count + " workers to be told to drain")
                    .atMost(LIMIT)
                    .until(() -> draining.size() == count);
        }
    }

    /** The last one. */
    private static final class Reports implements ClusterReportStream.Subscriber {
        private final AtomicReference<ClusterReport> last = new AtomicReference<>(ClusterReport.getDefaultInstance());

        @Override
        public void next(ClusterReport clusterReport) {
            last.set(clusterReport);
        }

        @Override
        public void end() {}

        boolean drained(String seat) {
            return last.get().getWorkersList().stream()
                    .anyMatch(worker -> worker.getSeat().equals(seat) && worker.getDrained());
        }
    }
}
