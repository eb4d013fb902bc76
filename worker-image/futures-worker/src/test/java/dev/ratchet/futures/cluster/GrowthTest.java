/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureQuery;
import dev.ratchet.client.FutureState;
import dev.ratchet.client.Items;
import dev.ratchet.client.Locality;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.Session;
import dev.ratchet.client.SessionOptions;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.worker.UpkeepGrowthTest;
import dev.ratchet.protocol.client.v1.JobStatus;
import dev.ratchet.protocol.client.v1.ListObjectsReply;
import dev.ratchet.protocol.client.v1.ListObjectsRequest;
import dev.ratchet.protocol.client.v1.LogsReply;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.client.v1.RetainReply;
import dev.ratchet.protocol.client.v1.RetainRequest;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import dev.ratchet.store.fixture.TransactionKinds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many futures and objects there are, no transaction comes near the limits of {@link Growth}. */
class GrowthTest {

    private static final int RECORDS = Growth.RECORDS;

    /** They lie in files, and a directory of many more of them is no concern of transactions. */
    private static final int OBJECTS = RECORDS / 10;

    private static final int OBJECT_BYTES = 12_000;

    /** What one future is given at most. */
    private static final int UPSTREAMS = 2_000;

    /** What tasks read and write of their own. */
    private static final int KEYS = RECORDS / 5;

    private static final String FIRST = TestCluster.NAME + "-w-0";
    private static final String THIRD = TestCluster.NAME + "-w-2";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final String UPLOADS = "measured by UploadsTest";
    private static final String STATES = "measured by LargeStatesTest";
    private static final String ORDERS = "measured by CoordinatorGrowthTest";
    private static final String HANDOVER = "measured by HandoverGrowthTest";

    /** Kinds that do not come to pass here: what measures them. */
    private static final Map<String, String> LEFT_OUT = Map.ofEntries(
            Map.entry("Adoption.address", HANDOVER),
            Map.entry("ArtifactUpload.discard", UPLOADS),
            Map.entry("Awaiting.revive", HANDOVER),
            Map.entry("Claimer.claimOfSessions", HANDOVER),
            Map.entry("ClusterReportStream.make", ORDERS),
            Map.entry("ContentUpload.write", UPLOADS),
            Map.entry("Coordinator.clearStore", ORDERS),
            Map.entry("Coordinator.commitLayout", ORDERS),
            Map.entry("Coordinator.raiseFormat", ORDERS),
            Map.entry("Coordinator.setDraining", ORDERS),
            Map.entry("CopyRecords.forget", HANDOVER),
            Map.entry("FunctionUpload.discard", UPLOADS),
            Map.entry("FunctionUpload.publish", UPLOADS),
            Map.entry("FunctionUpload.write", UPLOADS),
            Map.entry("JobCounters$Recount.page", "measured by JobCountersTest"),
            Map.entry("LargeStates.forget", STATES),
            Map.entry("LargeStates.read", STATES),
            Map.entry("LargeStates.release", STATES),
            Map.entry("ObjectLocator.preserve", HANDOVER),
            Map.entry("PieceStore.write", STATES),
            Map.entry("SpeculativeCalls.turn", "measured by ActorGrowthTest"));

    @TempDir
    private Path directory;

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final HeldMail mail = new HeldMail();

    @Test
    void noTransactionGrowsWithTheRecordsAroundIt() throws Exception {
        Set<String> kinds = TransactionKinds.in("dev.ratchet.futures", "dev.ratchet.membership");
        // Other tests measure those of sessions, and those that come to pass when much time has passed.
        kinds.removeAll(TransactionKinds.in("dev.ratchet.futures.session"));
        kinds.removeAll(UpkeepGrowthTest.KINDS);
        Tasks.counter("block.gate").set(0);
        try (TestCluster cluster = new TestCluster(
                directory, real -> measured.wrapper().apply(mail.wrapper().apply(real)))) {
            cluster.start(0, 2, 1L << 30);
            TestWorker second = cluster.start(1, 2, 1L << 30);
            TestWorker third = cluster.start(2, 2, 1L << 30);
            Ratchet ratchet = cluster.connect();
            use(cluster, ratchet, second);
            deleteRunning(ratchet);
            leave(cluster, ratchet, third);
            lose(cluster);
            comeBack(cluster);
        }
        Growth.assertBounded(measured, kinds, LEFT_OUT);
    }

    private static void use(TestCluster cluster, Ratchet ratchet, TestWorker second) throws Exception {
        DurableFuture<Integer> gate = ratchet.submit(SubmitOptions.ofJob("gate"), Tasks.gate());
        List<DurableFuture<Integer>> delayed =
                behind(ratchet, gate, SubmitOptions.ofJob("later").withDelay(HOUR));
        List<DurableFuture<Integer>> waiting = behind(ratchet, gate, SubmitOptions.ofJob("waiting"));
        List<DurableFuture<Integer>> kept = behind(ratchet, gate, SubmitOptions.ofJob("kept"));
        List<DurableFuture<Integer>> brief =
                behind(ratchet, gate, SubmitOptions.ofJob("brief").withRetention(Duration.ofMillis(1)));
        assertThat(ratchet.prioritizeAll(waiting, 1)).isEqualTo(waiting.size());
        Tasks.counter("block.gate").set(1);
        ratchet.awaitAny(waiting);
        second.kill();
        assertThat(ratchet.awaitAll(waiting, LIMIT)).containsOnly(0);
        assertThat(ratchet.awaitAll(kept, LIMIT)).containsOnly(0);

        assertThat(ratchet.map(numbers(RECORDS), Tasks.tripling()).getLast().get(LIMIT))
                .isEqualTo(3 * (RECORDS - 1));
        claimedBlocks(cluster, ratchet);
        assertThat(ratchet.awaitAll(ratchet.map(numbers(KEYS / Tasks.KEYS), Tasks.writing()), LIMIT))
                .containsOnly(Tasks.KEYS);
        Items<Integer> items = ratchet.generate(SubmitOptions.ofJob("items"), RECORDS, Tasks.counting(RECORDS));
        assertThat(items.stream().count()).isEqualTo(RECORDS);
        ratchet.put(SubmitOptions.ofJob("put"), 1)
                .submitted()
                .toCompletableFuture()
                .join();
        assertThat(ratchet.hold(kept)).isEqualTo(kept.size());
        ratchet.bind("bound", kept.getFirst());
        assertThat(ratchet.bound("bound")).isPresent();
        assertThat(ratchet.unbind("bound")).isTrue();
        assertThat(ratchet.describe(kept.getFirst().id())).isPresent();

        assertThat(ratchet.list(FutureQuery.all()).count()).isGreaterThan(kept.size() * 2L);
        assertThat(ratchet.summary("kept").toString()).isNotEmpty();
        ask(cluster, ratchet);
        assertThat(ratchet.cancelAll(delayed)).isEqualTo(delayed.size());
        assertThat(ratchet.deleteAll(kept)).isEqualTo(kept.size());
        ratchet.release(brief);
        endSession(ratchet);
        Awaitility.await("the end of the retention")
                .atMost(LIMIT)
                .until(() -> ratchet.list(FutureQuery.ofJob("brief")).findAny().isEmpty());
    }

    /** What people ask by the command line. */
    private static void ask(TestCluster cluster, Ratchet ratchet) throws Exception {
        DurableFuture<Integer> shown = ratchet.submit(Tasks.returning(1));
        assertThat(shown.get(LIMIT)).isEqualTo(1);
        shown.submitted().toCompletableFuture().join();
        LogsRequest ofFuture =
                LogsRequest.newBuilder().setFuture(Ids.bytes(shown.id())).build();
        try (GatewayConnection gateway = cluster.connection()) {
            StatusReply status = GatewayConnection.await(
                    gateway.call((stub, answer) -> stub.status(StatusRequest.getDefaultInstance(), answer)));
            assertThat(status.getJobsList()).extracting(JobStatus::getJob).contains("kept");
            LogsReply lines = GatewayConnection.await(gateway.call((stub, answer) -> stub.logs(ofFuture, answer)));
            assertThat(lines.getSeat()).isNotEmpty();
            // At least one of them is not the one that is asked.
            for (String seat : List.of(FIRST, THIRD)) {
                LogsRequest ofSeat = LogsRequest.newBuilder().setSeat(seat).build();
                lines = GatewayConnection.await(gateway.call((stub, answer) -> stub.logs(ofSeat, answer)));
                assertThat(lines.getSeat()).isEqualTo(seat);
            }
            long inForce = retain(gateway, RetainRequest.getDefaultInstance());
            assertThat(retain(
                            gateway,
                            RetainRequest.newBuilder()
                                    .setRetentionMillis(inForce)
                                    .build()))
                    .isEqualTo(inForce);
        }
    }

    private static long retain(GatewayConnection gateway, RetainRequest request) {
        RetainReply reply = GatewayConnection.await(gateway.call((stub, answer) -> stub.retain(request, answer)));
        return reply.getRetentionMillis();
    }

    /** How many results workers hold, asked for page by page. */
    private static int listed(TestCluster cluster) {
        try (GatewayConnection gateway = cluster.connection()) {
            int count = 0;
            ListObjectsRequest request = ListObjectsRequest.getDefaultInstance();
            while (true) {
                ListObjectsRequest next = request;
                ListObjectsReply page =
                        GatewayConnection.await(gateway.call((stub, answer) -> stub.listObjects(next, answer)));
                count += page.getObjectsCount();
                if (page.getNext().isEmpty()) {
                    return count;
                }
                request =
                        ListObjectsRequest.newBuilder().setFrom(page.getNext()).build();
            }
        }
    }

    /**
     * Blocks that are claimed, as no task that must not run twice runs before it is recorded, and asked for by another.
     */
    private static void claimedBlocks(TestCluster cluster, Ratchet ratchet) throws Exception {
        SubmitOptions once = SubmitOptions.ofJob("once").withMaxRetries(0);
        List<DurableFuture<Integer>> futures = ratchet.map(once, numbers(RECORDS), Tasks.tripling());
        ratchet.awaitAll(futures, LIMIT);
        Ratchet other = cluster.connect();
        List<DurableFuture<Integer>> known = futures.stream()
                .map(future -> other.<Integer>future(future.id()))
                .toList();
        assertThat(other.awaitAll(known, LIMIT)).isEqualTo(ratchet.awaitAll(futures, LIMIT));
    }

    private static void endSession(Ratchet ratchet) throws Exception {
        Session session = ratchet.sessions().open(SessionOptions.defaults());
        List<DurableFuture<Integer>> futures = IntStream.range(0, RECORDS / 4)
                .mapToObj(
                        number -> session.submit(SubmitOptions.ofJob("session").withDelay(HOUR), Tasks.never()))
                .toList();
        futures.forEach(future -> future.submitted().toCompletableFuture().join());
        DurableFuture<Integer> running = session.submit(Tasks.returning(1));
        assertThat(running.get(LIMIT)).isEqualTo(1);
        session.close(Session.CloseMode.CANCEL);
        Awaitility.await("the futures of the session to be cancelled")
                .atMost(LIMIT)
                .until(() -> ratchet.summary("session").count(FutureState.CANCELLED) == futures.size());
    }

    /** A worker finds what it runs cancelled and deleted when it looks. */
    private void deleteRunning(Ratchet ratchet) {
        int started = Tasks.counter("block.started").get();
        Tasks.counter("block.gate").set(0);
        List<DurableFuture<Integer>> running = List.of(ratchet.submit(SubmitOptions.ofJob("deleted"), Tasks.gate()));
        Awaitility.await("the future to run")
                .atMost(LIMIT)
                .until(() -> Tasks.counter("block.started").get() > started);
        mail.hold();
        assertThat(ratchet.cancelAll(running)).isEqualTo(1);
        assertThat(ratchet.deleteAll(running)).isEqualTo(1);
        mail.release();
        Awaitility.await("its worker to look whether it is gone").atMost(LIMIT).until(() -> measured.kinds()
                .containsKey("Worker.checkDeleted"));
        Tasks.counter("block.gate").set(1);
    }

    /** A worker leaves that holds many objects, of which others take each. */
    private static void leave(TestCluster cluster, Ratchet ratchet, TestWorker worker) throws Exception {
        List<DurableFuture<byte[]>> objects = objects(ratchet, worker, "moved");
        assertThat(worker.engine().now().objects()).isEqualTo(OBJECTS);
        assertThat(listed(cluster)).isGreaterThanOrEqualTo(OBJECTS);
        assertThat(ratchet.transfer(objects.getLast(), FIRST)).containsExactly(FIRST);
        ratchet.put(SubmitOptions.ofJob("put"), new byte[OBJECT_BYTES])
                .submitted()
                .toCompletableFuture()
                .join();
        assertThat(ratchet.replicate(objects.getFirst(), 2)).hasSize(2);
        assertThat(worker.leave(LIMIT.toMillis())).isTrue();
        assertThat(objects.getLast().get(LIMIT)).hasSize(OBJECT_BYTES);
        assertThat(ratchet.summary("moved").recomputed()).isZero();
        assertThat(ratchet.deleteAll(objects)).isEqualTo(OBJECTS);
    }

    /** The next process of a pod finds the many objects that the one before has had in files. */
    private static void comeBack(TestCluster cluster) throws Exception {
        TestWorker worker = cluster.startInPod(4, 2, 1L << 30);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<byte[]>> objects = objects(ratchet, worker, "former");
        cluster.park(worker, LIMIT.toMillis());
        worker.leave(LIMIT.toMillis());
        cluster.startInPod(4, 2, 1L << 30);
        assertThat(cluster.connect().<byte[]>future(objects.getLast().id()).get(LIMIT))
                .hasSize(OBJECT_BYTES);
        assertThat(ratchet.summary("former").recomputed()).isZero();
    }

    /** A worker dies that holds many objects, each of which is computed again for a future that takes it. */
    private static void lose(TestCluster cluster) throws Exception {
        TestWorker worker = cluster.start(3, 2, 1L << 30);
        Ratchet ratchet = cluster.connect();
        List<DurableFuture<byte[]>> objects = objects(ratchet, worker, "lost");
        assertThat(worker.engine().now().objects()).isEqualTo(OBJECTS);
        List<DurableFuture<byte[]>> most = objects.subList(0, Math.min(UPSTREAMS, OBJECTS));
        DurableFuture<Integer> joined =
                ratchet.reduce(SubmitOptions.ofJob("joined").withDelay(Duration.ofSeconds(5)), most, Tasks.lengths());
        joined.submitted().toCompletableFuture().join();
        worker.kill();
        cluster.start(3, 2, 1L << 30);
        List<DurableFuture<Integer>> lengths = objects.stream()
                .map(object -> ratchet.then(SubmitOptions.ofJob("lengths"), object, Tasks.length()))
                .toList();
        assertThat(joined.get(LIMIT)).isEqualTo(most.size() * OBJECT_BYTES);
        assertThat(ratchet.awaitAll(lengths, LIMIT)).containsOnly(OBJECT_BYTES);
        assertThat(ratchet.summary("lost").recomputed()).isEqualTo(OBJECTS);
        assertThat(ratchet.summary("lost").count(FutureState.REALIZED)).isEqualTo(OBJECTS);
    }

    private static List<DurableFuture<byte[]>> objects(Ratchet ratchet, TestWorker worker, String job)
            throws InterruptedException {
        String seat = worker.membership().seat().name();
        SubmitOptions options =
                SubmitOptions.ofJob(job).withLocality(Locality.onSeat(seat).withRequired());
        List<DurableFuture<byte[]>> objects = IntStream.range(0, OBJECTS)
                .mapToObj(number -> ratchet.submit(options, Tasks.returningBytes(OBJECT_BYTES)))
                .toList();
        ratchet.await(objects, OBJECTS, LIMIT);
        assertThat(objects.getFirst().get(LIMIT)).hasSize(OBJECT_BYTES);
        return objects;
    }

    private static List<DurableFuture<Integer>> behind(
            Ratchet ratchet, DurableFuture<Integer> gate, SubmitOptions options) {
        List<DurableFuture<Integer>> futures = IntStream.range(0, RECORDS / 4)
                .mapToObj(number -> ratchet.then(options, gate, Tasks.tripling()))
                .toList();
        futures.forEach(future -> future.submitted().toCompletableFuture().join());
        return futures;
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }
}
