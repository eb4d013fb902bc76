/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.collect.Collector;
import dev.ratchet.futures.collect.Deletion;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.queue.RequirementClasses;
import dev.ratchet.futures.queue.WorkQueue;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.recover.Reconstruction;
import dev.ratchet.futures.settle.AntiAffinity;
import dev.ratchet.futures.settle.Cancellation;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Dependents;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.futures.settle.Recorder;
import dev.ratchet.futures.submit.Submission;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.client.ClientLeases;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** Futures that are submitted, end and go, seen from the store; whatever a test has left there is checked. */
public abstract class CollectionFixture {

    public static final String SEAT = "w-0";
    /** Longer than any test takes: time passes where a test says so. */
    public static final long RETENTION_MILLIS = 60_000;

    public static final int OBJECT_BYTES = 20_000;

    /** Void entries of the queue, which readers remove, and what is told to the worker. */
    protected static final List<String> TRANSIENT =
            List.of("futures/queue/", "futures/idle/", "futures/mailbox/" + SEAT, "futures/wake/" + SEAT);

    protected final SystemEnvironment real = new SystemEnvironment();
    public final ShiftedEnvironment environment = new ShiftedEnvironment(real);
    protected final Database database = StoreUnderTest.open(real);
    protected final Keyspace keyspace = new Keyspace("test/collection");
    protected final FutureKeys keys = new FutureKeys(keyspace);
    public final Members members = new StoredMembers(keyspace);
    protected final ClientLeases leases = new ClientLeases(
            database, keyspace, new OpenSeat(SEAT), members, ToldLiveness.allDead(), environment, 1_000_000);
    public FutureStore store = new FutureStore(database, keys, environment);

    public CollectionFixture() {
        store.runPlain(transaction -> {
                    new StoredMembers(keyspace)
                            .write(
                                    transaction,
                                    SEAT,
                                    MemberRecord.newBuilder().setIncarnation(1).build());
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    @AfterEach
    protected void close() {
        CheckReport report = check();
        real.close();
        assertThat(report.violations()).isEmpty();
    }

    protected FutureId submit(List<FutureId> upstreams, long retentionMillis) {
        return submit(upstreams, retentionMillis, SubmittedFuture.newBuilder());
    }

    protected FutureId submit(List<FutureId> upstreams, long retentionMillis, SubmittedFuture.Builder future) {
        FutureId id = FutureId.random();
        future.setId(Ids.bytes(id)).setJob("collection");
        upstreams.forEach(upstream -> future.addUpstreams(Ids.bytes(upstream)));
        if (retentionMillis > 0) {
            future.setSchedulingSpec(SchedulingSpec.newBuilder().setRetentionMillis(retentionMillis));
        }
        submit(SubmitRequest.newBuilder().addFutures(future).build());
        return id;
    }

    /** Futures of one block, which {@code client} holds if it is not empty. */
    protected List<FutureId> submitBlock(int futures, long retentionMillis, ByteString client) {
        FutureId block = BlockIds.of(UUID.randomUUID());
        SubmittedFuture.Builder common = SubmittedFuture.newBuilder()
                .setId(Ids.bytes(block))
                .setJob("collection")
                .setName("block")
                .setClient(client);
        if (retentionMillis > 0) {
            common.setSchedulingSpec(SchedulingSpec.newBuilder().setRetentionMillis(retentionMillis));
        }
        submit(SubmitRequest.newBuilder()
                .addBlocks(SubmittedBlock.newBuilder().setCommon(common).setFutures(futures))
                .build());
        return IntStream.rangeClosed(1, futures)
                .mapToObj(number -> BlockIds.future(block, number))
                .toList();
    }

    protected void submit(SubmitRequest request) {
        assertThat(submission().submit(request, Optional.empty()).join().refusals())
                .isEmpty();
    }

    protected List<Claimed> claimAll() {
        return new Claimer(store, new OpenSeat(SEAT), new RequirementClasses(keys), () -> new WorkQueue.Slice(0, 1, 1))
                .claim(StoreFixture.room(256))
                .join();
    }

    /** Realizes what can be claimed now; how many that were. */
    protected int finish(boolean asObjects) {
        return settle(claimAll(), asObjects);
    }

    protected int settle(List<Claimed> claims, boolean asObjects) {
        OutcomeCommitter outcomeCommitter =
                new OutcomeCommitter(store, new OpenSeat(SEAT), recorder(), dependents(), (id, record) -> {});
        CompletableFuture.allOf(claims.stream()
                        .map(claim -> outcomeCommitter.record(claim, outcome(claim, asObjects)))
                        .toArray(CompletableFuture[]::new))
                .join();
        return claims.size();
    }

    /** Of a block every other future has a large result, where there are such, and leaves it. */
    private static Outcome outcome(Claimed claim, boolean asObject) {
        if (!claim.record().hasBlock()) {
            return new Outcome.Realized(result(claim, asObject));
        }
        Map<FutureId, Optional<Outcome>> ended = new LinkedHashMap<>();
        for (int number : BlockFutures.numbers(claim.record())) {
            Outcome outcome = new Outcome.Realized(result(claim, asObject && number % 2 == 0));
            ended.put(BlockIds.future(claim.id(), number), Optional.of(outcome));
        }
        return new Outcome.OfBlock(ended);
    }

    private static Result result(Claimed claim, boolean asObject) {
        return asObject
                ? Result.newBuilder()
                        .setObject(StoredObject.newBuilder()
                                .setBytes(OBJECT_BYTES)
                                .setEpoch(
                                        ObjectName.of(claim.id(), claim.token()).epoch())
                                .addCopies(Copy.newBuilder().setSeat(SEAT).setIncarnation(1)))
                        .build()
                : Result.newBuilder()
                        .setInline(ByteString.copyFromUtf8("value"))
                        .build();
    }

    protected List<FutureId> delete(FutureId... ids) {
        Cancellation cancellation = new Cancellation(store, recorder(), dependents());
        return new Deletion(store, cancellation::cancelAndRelease)
                .delete(List.of(ids))
                .join();
    }

    protected void collectAll() {
        Collector collector = new Collector(store, ToldLiveness.allDead(), SEAT, holders());
        boolean more;
        do {
            more = false;
            for (int shard = 0; shard < FutureKeys.EXPIRY_SHARDS; shard++) {
                more |= collector.collect(shard).join();
            }
        } while (more);
    }

    protected Holders holders() {
        return new Holders(store, leases.clients());
    }

    /** A client that is connected to the one worker. */
    protected ByteString connect() {
        ByteString client = Ids.bytes(FutureId.random());
        leases.connect(Holders.client(client), "test", true).join();
        return client;
    }

    protected void end(ByteString client) {
        leases.end(Holders.client(client)).join();
        holders().release(Holders.client(client)).join();
    }

    protected void letGo(ByteString client, FutureId id) {
        holders().hold(client, List.of(id), true).join();
    }

    protected CheckReport check() {
        return new ClusterCheck(store, members).run().join();
    }

    protected Optional<FutureRecord> record(FutureId id) {
        return store.read(transaction -> keys.record(transaction, id)).join();
    }

    /** All keys of futures that there are, but for those that whoever they are for removes. */
    protected List<String> left() {
        List<KeyValue> rows = store.read(transaction -> transaction
                        .getRange(keyspace.root().get("futures").range())
                        .asList())
                .join();
        return rows.stream()
                .map(row -> keyspace.root().unpack(row.getKey()).getItems().stream()
                        .map(String::valueOf)
                        .collect(java.util.stream.Collectors.joining("/")))
                .filter(path -> TRANSIENT.stream().noneMatch(path::startsWith))
                .toList();
    }

    protected Recorder recorder() {
        return new Recorder(keys, environment, SEAT, new AntiAffinity(ToldLiveness.allDead(), environment.random()));
    }

    protected Dependents dependents() {
        return new Dependents(keys, environment.random());
    }

    protected Submission submission() {
        return new Submission(
                store, recorder(), dependents(), new Reconstruction(store, recorder(), dependents()), members);
    }
}
