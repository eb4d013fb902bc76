/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.StatePieces;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureIndex;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.MembershipTables;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.futures.v1.ArtifactRecord;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ItemChunk;
import dev.ratchet.protocol.futures.v1.ItemDemand;
import dev.ratchet.protocol.futures.v1.QueuePartition;
import dev.ratchet.protocol.futures.v1.Requirements;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.protocol.membership.v1.ClientRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One future in each state, all right; then one thing at a time is made wrong by hand, and must be found. */
class ClusterCheckTest {

    private static final FutureId WAITING = id(1);
    private static final FutureId QUEUED = id(2);
    private static final FutureId CLAIMED = id(3);
    private static final FutureId REALIZED = id(4);
    private static final FutureId FAILED = id(5);
    private static final ByteString ACTOR = Ids.bytes(id(60));
    private static final FutureId CLIENT = id(61);
    private static final StatePieces PIECES =
            new StatePieces(REALIZED, 1, 7, ValueSizes.PIECE_BYTES + 2, ByteString.copyFrom(new byte[32]));
    private static final String SEAT = "orders-w-0";

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/check");
    private final Database database = StoreUnderTest.open(environment);
    private final FutureKeys keys = new FutureKeys(keyspace);
    private final FutureStore store = new FutureStore(database, keys, environment);

    @BeforeEach
    void writeWhatIsRight() {
        run((transaction, tables) -> {
            new StoredMembers(keyspace)
                    .write(
                            transaction,
                            SEAT,
                            MemberRecord.newBuilder().setIncarnation(2).build());
            write(transaction, tables, WAITING, record(State.STATE_WAITING).setUpstreams(1));
            transaction.set(tables.upstreams.key(WAITING.value()), FutureKeys.encodeUpstreams(List.of(QUEUED)));
            transaction.set(tables.waits.key(WAITING.value(), QUEUED.value()), FutureKeys.PRESENT);
            transaction.set(tables.dependents.key(QUEUED.value(), WAITING.value()), FutureKeys.PRESENT);
            transaction.set(tables.uses.key(QUEUED.value(), WAITING.value()), FutureKeys.PRESENT);
            write(transaction, tables, QUEUED, record(State.STATE_QUEUED).setTicket(7));
            transaction.set(queueKey(tables), entry(QUEUED, 7));
            write(
                    transaction,
                    tables,
                    CLAIMED,
                    record(State.STATE_CLAIMED).setEpoch(3).setNumAttempts(1).setClaim(token(3)));
            transaction.set(tables.claims.key(SEAT, 2, CLAIMED.value()), FutureKeys.PRESENT);
            write(transaction, tables, REALIZED, realized());
            transaction.set(tables.held.key(SEAT, 2, REALIZED.value(), 1), FutureKeys.PRESENT);
            write(transaction, tables, FAILED, record(State.STATE_FAILED).setFailure(Failure.getDefaultInstance()));
            transaction.set(tables.counts.key("check", "tenant", "default"), tables.counts.encode(5L));
            writeActorGeneratorAndClient(transaction, tables);
        });
    }

    /** REALIZED is a call of an actor, and CLAIMED a generator that has yielded three items. */
    private static void writeActorGeneratorAndClient(Transaction transaction, FutureKeys tables) {
        write(transaction, tables, REALIZED, realized().setActor(ACTOR));
        transaction.set(
                tables.actorCalls.key(Ids.of(ACTOR).value()),
                Ids.bytes(REALIZED).toByteArray());
        transaction.set(tables.actorStates.key(Ids.of(ACTOR).value(), 0), stateInPieces());
        transaction.set(piece(tables, REALIZED, 1, 0), new byte[ValueSizes.PIECE_BYTES]);
        transaction.set(piece(tables, REALIZED, 1, 1), new byte[PIECES.count()]);
        transaction.set(piece(tables, CLAIMED, 3, 0), new byte[] {1});
        write(
                transaction,
                tables,
                CLAIMED,
                record(State.STATE_CLAIMED)
                        .setEpoch(3)
                        .setNumAttempts(1)
                        .setClaim(token(3))
                        .setSchedulingSpec(SchedulingSpec.newBuilder().setItemsAhead(9)));
        transaction.set(tables.items.key(CLAIMED.value(), 1, 0), items(2));
        transaction.set(tables.items.key(CLAIMED.value(), 2, 0), items(1));
        transaction.set(
                tables.itemDemands.key(CLAIMED.value()),
                tables.itemDemands.encode(
                        ItemDemand.newBuilder().setTaken(2).setWaitingSeat(SEAT).build()));
        lease(transaction, tables, 2);
        transaction.set(vouched(tables, 2), FutureKeys.PRESENT);
    }

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void findsNothingWhereAllIsRight() {
        CheckReport report = check();

        assertThat(report.violations()).isEmpty();
        assertThat(report.isClean()).isTrue();
        assertThat(report.futures()).isEqualTo(5);
        assertThat(report.versions()).isEqualTo(1);
        assertThat(report.notes()).isEmpty();
    }

    /** Whatever it is that can not be read. */
    @Test
    void readsOnBehindWhatIsDamagedAndTellsOfIt() {
        byte[] garbage = {-1, -1, -1};
        for (KeyValue row : rows()) {
            byte[] otherKey = ByteArrayUtil.join(row.getKey(), garbage);

            run((transaction, tables) -> transaction.set(row.getKey(), garbage));
            boolean withValue = check().isClean();
            run((transaction, tables) -> transaction.set(row.getKey(), row.getValue()));
            run((transaction, tables) -> transaction.set(otherKey, row.getValue()));
            boolean withKey = check().isClean();
            run((transaction, tables) -> transaction.clear(otherKey));

            boolean isRecord = keys.records.subspace().contains(row.getKey());
            assertThat(isRecord && (withValue || withKey)).isFalse();
        }
        assertThat(check().isClean()).isTrue();
    }

    private List<KeyValue> rows() {
        return store.read(transaction ->
                        transaction.getRange(keyspace.root().range()).asList())
                .join();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongs")
    void findsWhatIsWrong(String message, BiConsumer<Transaction, FutureKeys> wrong) {
        run(wrong);

        CheckReport report = check();

        assertThat(report.isClean()).isFalse();
        assertThat(report.violations())
                .anySatisfy(found -> assertThat(found.toString()).contains(message));
    }

    static Stream<Arguments> wrongs() {
        return Stream.of(
                        wrongEdges(),
                        wrongHolders(),
                        wrongRecords(),
                        wrongPlaces(),
                        wrongListings(),
                        wrongActorsAndGenerators(),
                        wrongCode(),
                        wrongLeases())
                .flatMap(wrongs -> wrongs);
    }

    private static Stream<Arguments> wrongEdges() {
        return Stream.of(
                wrong("waits with ticket 7 and is in no queue", (to, keys) -> to.clear(queueKey(keys))),
                wrong("waits with ticket 7 and is in no queue", (to, keys) -> to.set(queueKey(keys), entry(QUEUED, 6))),
                wrong("is WAITING and waits for nothing", (to, keys) -> to.clear(keys.waits.range(WAITING.value()))),
                wrong(
                        "is an edge that its upstream does not know",
                        (to, keys) -> to.clear(keys.dependents.range(QUEUED.value()))),
                wrong(
                        "is an edge that its downstream does not know",
                        (to, keys) -> to.set(keys.dependents.key(QUEUED.value(), FAILED.value()), FutureKeys.PRESENT)),
                wrong(
                        "waits for a future that is FAILED",
                        (to, keys) ->
                                to.set(keys.dependents.key(FAILED.value(), WAITING.value()), FutureKeys.PRESENT)));
    }

    private static Stream<Arguments> wrongHolders() {
        return Stream.of(
                wrong(
                        "is CLAIMED and not listed under " + SEAT + "/2",
                        (to, keys) -> to.clear(keys.claims.range(SEAT))),
                wrong(
                        "is no claim of the record, which is QUEUED",
                        (to, keys) -> to.set(keys.claims.key(SEAT, 2, QUEUED.value()), FutureKeys.PRESENT)),
                wrong(
                        "is CLAIMED at epoch 3 by a token of epoch 2",
                        (to, keys) -> write(
                                to,
                                keys,
                                CLAIMED,
                                record(State.STATE_CLAIMED).setEpoch(3).setClaim(token(2)))),
                wrong(
                        "which was never issued",
                        (to, keys) -> write(
                                to,
                                keys,
                                CLAIMED,
                                record(State.STATE_CLAIMED)
                                        .setEpoch(3)
                                        .setClaim(token(3).toBuilder().setIncarnation(9)))),
                wrong(
                        "names a copy that is not listed under " + SEAT + "/2",
                        (to, keys) -> to.clear(keys.held.range(SEAT))),
                wrong(
                        "is no copy that the record names",
                        (to, keys) -> to.set(keys.held.key(SEAT, 2, REALIZED.value(), 4), FutureKeys.PRESENT)),
                wrong(
                        "is REALIZED and has no result",
                        (to, keys) -> write(to, keys, REALIZED, record(State.STATE_REALIZED))),
                wrong(
                        "is FAILED and has no failure",
                        (to, keys) -> write(to, keys, FAILED, record(State.STATE_FAILED))));
    }

    private static Stream<Arguments> wrongRecords() {
        return Stream.of(
                wrong(
                        "was not told to its waiters",
                        (to, keys) -> write(to, keys, REALIZED, realized().addWaiters(SEAT))),
                wrong(
                        "counts attempts=2 with maxRetries=0",
                        (to, keys) -> write(
                                to,
                                keys,
                                QUEUED,
                                record(State.STATE_QUEUED).setTicket(7).setNumAttempts(2))),
                wrong(
                        "has upstreams=1 and a list of 0 bytes",
                        (to, keys) -> to.clear(keys.upstreams.key(WAITING.value()))),
                wrong(
                        "lacks the last piece of its argument",
                        (to, keys) -> write(
                                to,
                                keys,
                                QUEUED,
                                record(State.STATE_QUEUED).setTicket(7).setArgumentChunks(2))),
                wrong(
                        "is a piece more than its future has",
                        (to, keys) -> to.set(keys.arguments.key(QUEUED.value(), 0), new byte[10])),
                wrong("which does not know", (to, keys) -> to.clear(keys.uses.key(QUEUED.value(), WAITING.value()))),
                wrong(
                        "is no lineage that the downstream knows",
                        (to, keys) -> to.set(keys.uses.key(QUEUED.value(), FAILED.value()), FutureKeys.PRESENT)),
                wrong(
                        "expires and is not listed for that",
                        (to, keys) -> write(to, keys, REALIZED, realized().setExpiresWallMillis(5))),
                wrong(
                        "is not where the record says, which is 0",
                        (to, keys) -> to.set(keys.expiry(5, REALIZED), FutureKeys.PRESENT)),
                wrong(
                        "is to be deleted and is still needed",
                        (to, keys) -> to.set(keys.garbage.key(SEAT, 2, REALIZED.value(), 1), FutureKeys.PRESENT)),
                wrong(
                        "counts 1 futures that are QUEUED, and there are 0",
                        (to, keys) -> to.clear(keys.records.key(QUEUED.value()))),
                wrong(
                        "counts 5 futures that are CANCELLED, and there are 0",
                        (to, keys) -> to.set(
                                keys.counts.key("check", "state", State.STATE_CANCELLED.getNumber()),
                                keys.counts.encode(5L))),
                wrong(
                        "sleeps in an incarnation that was never issued",
                        (to, keys) ->
                                to.set(keys.idle.key(SEAT, 3L), keys.idle.encode(Requirements.getDefaultInstance()))),
                wrong(
                        "is mail for no seat",
                        (to, keys) -> to.set(keys.mailbox.key("nobody", QUEUED.value()), FutureKeys.PRESENT)),
                wrong("can not be read", (to, keys) -> to.set(keys.records.key(QUEUED.value()), new byte[] {99, 1})));
    }

    private static Stream<Arguments> wrongPlaces() {
        byte[] code = {1, 2, 3};
        return Stream.of(
                wrong(
                        "has no use and is not noted as unused",
                        (to, keys) -> to.set(
                                keys.functions.key((Object) code),
                                keys.functions.encode(FunctionRecord.getDefaultInstance()))),
                wrong(
                        "names a function that counts no use",
                        (to, keys) -> write(to, keys, REALIZED, realized().setFunction(ByteString.copyFrom(code)))),
                wrong(
                        "is in force in a place that is not its future's",
                        (to, keys) -> to.set(keys.assignments.key(SEAT, 0, "stamp"), entry(QUEUED, 7))),
                wrong(
                        "is in force in a place that is not its future's",
                        (to, keys) -> to.set(keys.queue.key("", 1, "default", 5, "stamp"), entry(QUEUED, 7))),
                wrong(
                        "lists a child that does not know its parent",
                        (to, keys) -> to.set(keys.children.key(FAILED.value(), QUEUED.value()), FutureKeys.PRESENT)));
    }

    private static Stream<Arguments> wrongListings() {
        ByteString client = Ids.bytes(id(50));
        return Stream.of(
                wrong(
                        "parks a future that does not say so",
                        (to, keys) -> to.set(keys.parked.key(id(50).value(), FAILED.value()), FutureKeys.PRESENT)),
                wrong(
                        "is parked for a client that has no such entry",
                        (to, keys) -> write(
                                to,
                                keys,
                                REALIZED,
                                realized().addClients(client).setParkedFor(client))),
                wrong(
                        "which does not know",
                        (to, keys) -> to.set(
                                keys.bound.key("default", "best"),
                                Ids.bytes(FAILED).toByteArray())),
                wrong(
                        "has the name 'best', which is bound to another future or to none",
                        (to, keys) -> write(to, keys, REALIZED, realized().addBoundNames("best"))),
                wrong(
                        "is not listed as FAILED under its job 'check'",
                        (to, keys) -> to.clear(listed(keys, State.STATE_FAILED, FAILED))),
                wrong(
                        "lists a future that is missing",
                        (to, keys) -> to.set(listed(keys, State.STATE_FAILED, id(99)), FutureKeys.PRESENT)),
                wrong(
                        "lists a future that belongs to futures/listed/7/default/check",
                        (to, keys) -> to.set(listed(keys, State.STATE_QUEUED, FAILED), FutureKeys.PRESENT)),
                wrong(
                        "is not listed under its seat",
                        (to, keys) -> to.clear(
                                FutureIndex.RAN.keys(keys, REALIZED, realized()).getFirst())),
                wrong(
                        "lists a future that belongs nowhere",
                        (to, keys) -> to.set(keys.ran.key(7, SEAT, "check", FAILED.value()), FutureKeys.PRESENT)),
                wrong(
                        "is not listed under its name 'nameless'",
                        (to, keys) -> write(
                                to,
                                keys,
                                QUEUED,
                                record(State.STATE_QUEUED).setTicket(4).setName("nameless"))),
                wrong(
                        "counts 2 futures and should not, or there is none",
                        (to, keys) -> to.set(keys.named.key("unused", "default", "check"), keys.named.encode(2L))),
                wrong(
                        "futures that are of another, and there are 0",
                        (to, keys) -> to.set(keys.counts.key("check", "tenant", "another"), keys.counts.encode(3L))));
    }

    private static Stream<Arguments> wrongActorsAndGenerators() {
        byte[] nothing = {};
        return Stream.of(
                wrong(
                        "names a future that is no call",
                        (to, keys) -> to.set(
                                keys.actorCalls.key(Ids.of(ACTOR).value()),
                                Ids.bytes(FAILED).toByteArray())),
                wrong(
                        "was left by no attempt of a call of this actor",
                        (to, keys) -> to.set(keys.actorStates.key(Ids.of(ACTOR).value(), 0), state(REALIZED, 2))),
                wrong(
                        "does not say who has left it",
                        (to, keys) -> to.set(keys.actorStates.key(Ids.of(ACTOR).value(), 0), nothing)),
                wrong(
                        "goes on after a piece that is missing or too short",
                        (to, keys) -> to.set(keys.actorStates.key(Ids.of(ACTOR).value(), 1), new byte[5])),
                wrong("names pieces, and the last is missing", (to, keys) -> to.clear(piece(keys, REALIZED, 1, 1))),
                wrong("goes on after a piece that is missing", (to, keys) -> to.clear(piece(keys, REALIZED, 1, 0))),
                wrong(
                        "has 5 bytes, and its state has 90002 from there on",
                        (to, keys) -> to.set(piece(keys, REALIZED, 1, 0), new byte[5])),
                wrong(
                        "is of no recorded state, and its call is not open",
                        (to, keys) -> to.set(piece(keys, REALIZED, 0, 0), new byte[5])),
                wrong(
                        "was yielded by no generator",
                        (to, keys) -> to.set(keys.items.key(FAILED.value(), 0, 0), items(1))),
                wrong(
                        "begins with 2, and nothing before",
                        (to, keys) -> to.clear(keys.items.key(CLAIMED.value(), 1, 0))),
                wrong("has items from -1 to 1", (to, keys) -> to.set(keys.items.key(CLAIMED.value(), 1, 0), items(3))),
                wrong(
                        "goes on after a piece that is missing",
                        (to, keys) -> to.set(keys.items.key(CLAIMED.value(), 2, 2), items(1))),
                wrong(
                        "can not be read",
                        (to, keys) -> to.set(keys.items.key(CLAIMED.value(), 2, 0), new byte[] {9, 9})),
                wrong(
                        "is demand for no generator",
                        (to, keys) -> to.set(
                                keys.itemDemands.key(FAILED.value()),
                                keys.itemDemands.encode(ItemDemand.getDefaultInstance()))),
                wrong(
                        "makes nobody wait, which is no seat",
                        (to, keys) -> to.set(
                                keys.itemDemands.key(CLAIMED.value()),
                                keys.itemDemands.encode(ItemDemand.newBuilder()
                                        .setWaitingSeat("nobody")
                                        .build()))));
    }

    private static Stream<Arguments> wrongCode() {
        byte[] code = {1, 2, 3};
        return Stream.of(
                wrong(
                        "counts 4 uses of a function that is missing",
                        (to, keys) -> to.set(keys.functionUses.key((Object) code), keys.functionUses.encode(4L))),
                wrong("is a piece more than its function has", (to, keys) -> {
                    to.set(
                            keys.functions.key((Object) code),
                            keys.functions.encode(FunctionRecord.getDefaultInstance()));
                    to.set(keys.functionContent.key(code, 0), code);
                }),
                wrong(
                        "lacks its last piece",
                        (to, keys) -> to.set(
                                keys.artifacts.key((Object) code),
                                keys.artifacts.encode(
                                        ArtifactRecord.newBuilder().setChunks(1).build()))),
                wrong("is a piece more than its artifact has", (to, keys) -> {
                    to.set(
                            keys.artifacts.key((Object) code),
                            keys.artifacts.encode(
                                    ArtifactRecord.newBuilder().setChunks(1).build()));
                    to.set(keys.artifactContent.key(code, 1), code);
                }),
                wrong("is in force and not at the time that its future is due, which is 8", (to, keys) -> {
                    write(
                            to,
                            keys,
                            FAILED,
                            record(State.STATE_DELAYED).setTicket(7).setNotBeforeWallMillis(8));
                    to.set(keys.timers.key(9, FAILED.value()), entry(FAILED, 7));
                }));
    }

    private static Stream<Arguments> wrongLeases() {
        return Stream.of(
                wrong("is not listed under " + SEAT + "/2, which vouches", (to, keys) -> to.clear(vouched(keys, 2))),
                wrong("vouches for a client whose lease does not say so", (to, keys) -> lease(to, keys, 1)),
                wrong("is vouched for by " + SEAT + "/3, which was never issued", (to, keys) -> lease(to, keys, 3)));
    }

    private static void lease(Transaction transaction, FutureKeys keys, long incarnation) {
        var leases = MembershipTables.CLIENT.in(keys.keyspace());
        transaction.set(
                leases.key(CLIENT.value()),
                leases.encode(ClientRecord.newBuilder()
                        .setSeat(SEAT)
                        .setIncarnation(incarnation)
                        .build()));
    }

    private static byte[] vouched(FutureKeys keys, long incarnation) {
        return MembershipTables.VOUCHED.in(keys.keyspace()).key(SEAT, incarnation, CLIENT.value());
    }

    private static byte[] items(int count) {
        ItemChunk.Builder chunk = ItemChunk.newBuilder();
        for (int i = 0; i < count; i++) {
            chunk.addItems(ByteString.copyFromUtf8("item"));
        }
        return chunk.build().toByteArray();
    }

    private static byte[] stateInPieces() {
        ActorSnapshot whole = new ActorSnapshot(ActorStates.writer(REALIZED, 1), ByteString.copyFrom(new byte[33]));
        ActorSnapshot state = whole.inPieces(PIECES);
        return state.writer().concat(state.bytes()).toByteArray();
    }

    private static byte[] piece(FutureKeys tables, FutureId call, long epoch, int piece) {
        return tables.actorPieces.key(Ids.of(ACTOR).value(), call.value(), epoch, 7L, piece);
    }

    private static byte[] state(FutureId call, long epoch) {
        return ActorStates.writer(call, epoch)
                .concat(ByteString.copyFromUtf8("state"))
                .toByteArray();
    }

    private static Arguments wrong(String message, BiConsumer<Transaction, FutureKeys> change) {
        return Arguments.of(message, change);
    }

    private CheckReport check() {
        return new ClusterCheck(store, new StoredMembers(keyspace)).run().join();
    }

    private void run(BiConsumer<Transaction, FutureKeys> change) {
        store.runPlain(transaction -> {
                    change.accept(transaction, keys);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }

    private static FutureRecord.Builder record(State state) {
        return FutureRecord.newBuilder()
                .setState(state)
                .setJob("check")
                .setPartition(QueuePartition.newBuilder().setTenant("default"));
    }

    private static FutureRecord.Builder realized() {
        return record(State.STATE_REALIZED)
                .setEpoch(1)
                .setClaim(token(1))
                .setResult(Result.newBuilder()
                        .setObject(StoredObject.newBuilder()
                                .setEpoch(1)
                                .setBytes(20_000)
                                .addCopies(Copy.newBuilder().setSeat(SEAT).setIncarnation(2))));
    }

    private static ClaimToken token(long epoch) {
        return ClaimToken.newBuilder()
                .setSeat(SEAT)
                .setIncarnation(2)
                .setEpoch(epoch)
                .build();
    }

    /** Writes a record with what every record has beside it. */
    private static void write(Transaction transaction, FutureKeys keys, FutureId id, FutureRecord.Builder record) {
        transaction.set(keys.records.key(id.value()), keys.records.encode(record.build()));
        for (FutureIndex index : List.of(FutureIndex.LISTED, FutureIndex.RAN)) {
            index.keys(keys, id, record).forEach(entry -> transaction.set(entry, FutureKeys.PRESENT));
        }
        transaction.set(keys.counts.key("check", "state", record.getState().getNumber()), keys.counts.encode(1L));
    }

    private static byte[] listed(FutureKeys keys, State state, FutureId id) {
        return FutureIndex.LISTED.keys(keys, id, record(state)).getFirst();
    }

    private static byte[] queueKey(FutureKeys keys) {
        return keys.queue.key("", 0, "default", 5, "stamp");
    }

    private static byte[] entry(FutureId id, long ticket) {
        byte[] entry = new byte[Ids.BYTES + Long.BYTES];
        Ids.write(id, entry, 0);
        ByteBuffer.wrap(entry, Ids.BYTES, Long.BYTES).putLong(ticket);
        return entry;
    }

    private static FutureId id(long number) {
        return new FutureId(new UUID(0, number));
    }
}
