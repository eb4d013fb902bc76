/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.HeldSlot;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one transaction does with sessions that are asked for, that wait, and that end. */
class SessionRoundTest {

    private static final String SEAT = "w-1";
    private static final UUID FIRST = new UUID(1, 1);
    private static final UUID SECOND = new UUID(1, 2);
    private static final UUID THIRD = new UUID(1, 3);
    private static final int NOT_COMMITTED = 1020;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final Keyspace keyspace = new Keyspace("test/sessions");
    private final Database database = StoreUnderTest.open(environment);
    private final FutureStore store = new FutureStore(database, new FutureKeys(keyspace), environment);
    private final SessionKeys keys = new SessionKeys(store.keys());
    private final SessionRound round = new SessionRound(
            store,
            new StoredMembers(keyspace),
            new OpenSeat(SEAT),
            new NewSessions(store, (transaction, id) -> CompletableFuture.completedFuture(Optional.empty())));
    private Map<UUID, SessionRecord> held = Map.of();
    private SlotTokens tokens = SlotTokens.unknown();
    private Optional<SessionGrants.Pass> pass = Optional.empty();
    private boolean codeRuns;

    @AfterEach
    void close() {
        database.close();
        environment.close();
    }

    @Test
    void oneCommitOpensOneSessionAndClosesAnother() {
        look(1, open(FIRST, 0));
        assertThat(held.get(FIRST).getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);

        SessionRound.Looked looked = look(1, close(FIRST), open(SECOND, 0));

        assertThat(states(looked))
                .isEqualTo(Map.of(
                        FIRST, SessionState.SESSION_STATE_CLOSED,
                        SECOND, SessionState.SESSION_STATE_OPEN));
        assertThat(held.keySet()).containsExactly(SECOND);
        assertThat(held.get(SECOND).getSlots(0).getToken()).isEqualTo(2);
    }

    @Test
    void whatIsAskedForAndFindsNothingFreeWaitsInTheQueue() {
        SessionRound.Looked looked = look(1, open(FIRST, 0), open(SECOND, 0));
        assertThat(states(looked))
                .isEqualTo(Map.of(
                        FIRST, SessionState.SESSION_STATE_OPEN,
                        SECOND, SessionState.SESSION_STATE_WAITING));
        assertThat(looked.waiting()).isEqualTo(Map.of("gpu", 1));

        look(1, close(FIRST), open(THIRD, 0));

        assertThat(held.keySet()).as("who has waited").containsExactly(SECOND);
        assertThat(record(THIRD).getState()).isEqualTo(SessionState.SESSION_STATE_WAITING);
    }

    @Test
    void aSlotThatIsFreedDuringAPassThroughTheQueueIsForTheNextPassWhichFollowsAtOnce() {
        look(1, open(FIRST, 0));
        queue(SECOND);
        look(
                1,
                IntStream.range(0, SessionGrants.WAITING_MAX)
                        .mapToObj(number -> open(new UUID(2, number), "fpga", 0))
                        .toArray(SlotsRequest[]::new));
        assertThat(look(1).pass()).as("a pass of several rounds").isPresent();

        SessionRound.Looked last = look(1, close(FIRST));

        assertThat(last.pass()).as("the pass, which is over").isEmpty();
        assertThat(record(SECOND).getState()).isEqualTo(SessionState.SESSION_STATE_WAITING);
        assertThat(last.isFull()).as("whether another round follows").isTrue();
        look(1);
        assertThat(record(SECOND).getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
    }

    @Test
    void whoWaitsForWhatTheWorkerDoesNotHaveIsCounted() {
        queue(FIRST);
        assertThat(look(0, open(SECOND, 0)).waiting()).isEqualTo(Map.of("gpu", 2));
        assertThat(look(2).waiting()).isEmpty();
        assertThat(held.keySet()).containsExactlyInAnyOrder(FIRST, SECOND);
    }

    @Test
    void whatIsAskedForStandsBehindThoseThatWaitWithItsPriorityAndBeforeThoseWithLess() {
        queue(FIRST);
        assertThat(states(look(2, open(SECOND, 0), open(THIRD, 1))))
                .isEqualTo(Map.of(
                        SECOND, SessionState.SESSION_STATE_WAITING,
                        THIRD, SessionState.SESSION_STATE_OPEN));
        assertThat(record(FIRST).getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
    }

    @Test
    void aSessionThatRequiresWhatTheWorkerIsNotWaitsWhileOthersAreServed() {
        SlotDemand.Builder labelled = SlotDemand.newBuilder().putSlots("gpu", 1).putWorkerLabels("zone", "a");
        SlotDemand.Builder versioned =
                SlotDemand.newBuilder().putSlots("gpu", 1).setVersion("9.9.9");
        writeMember("1.1.1", Map.of("zone", "b"));
        assertThat(states(look(3, open(FIRST, labelled), open(SECOND, versioned), open(THIRD, 0))))
                .isEqualTo(Map.of(
                        FIRST, SessionState.SESSION_STATE_WAITING,
                        SECOND, SessionState.SESSION_STATE_WAITING,
                        THIRD, SessionState.SESSION_STATE_OPEN));
    }

    @Test
    void aSessionGetsTheSlotsOfAWorkerThatIsAsItRequires() {
        writeMember("9.9.9", Map.of("zone", "a", "disk", "ssd"));
        SlotDemand.Builder both = SlotDemand.newBuilder()
                .putSlots("gpu", 1)
                .putWorkerLabels("zone", "a")
                .setVersion("9.9.9");
        assertThat(states(look(1, open(FIRST, both)))).isEqualTo(Map.of(FIRST, SessionState.SESSION_STATE_OPEN));
    }

    @ParameterizedTest
    @CsvSource({"1.1.1,a,SESSION_STATE_OPEN", "1.1.1,b,SESSION_STATE_FAILED", "2.2.2,a,SESSION_STATE_FAILED"})
    void aSessionIsBoundAgainOnlyToAWorkerThatIsAsItRequires(String version, String zone, SessionState then) {
        OpenSeat seat = new OpenSeat(SEAT);
        HeldSlot slot = HeldSlot.newBuilder().setResource("gpu").build();
        SessionRecord.Builder suspended = SuspendedSession.record(store, seat, slot);
        suspended.getDemandBuilder().setVersion("1.1.1").putWorkerLabels("zone", "a");
        SuspendedSession.write(store, seat, FIRST, suspended.build());
        writeMember(version, Map.of("zone", zone));
        held = new HeldSessions(store).read(SEAT).join();

        look(1);

        assertThat(record(FIRST).getState()).isEqualTo(then);
    }

    /** What the worker has said of itself when it took its seat. */
    private void writeMember(String version, Map<String, String> labels) {
        MemberRecord member = MemberRecord.newBuilder()
                .setIncarnation(new OpenSeat(SEAT).incarnation())
                .setState(State.STATE_HEALTHY)
                .setVersion(version)
                .putAllLabels(WorkerTraits.described(labels))
                .build();
        database.run(transaction -> {
            new StoredMembers(keyspace).write(transaction, SEAT, member);
            return null;
        });
    }

    @Test
    void nobodyIsOvertakenWhoHasComeToWaitBeforeTheCommit() {
        try (Transaction transaction = database.createTransaction()) {
            round.run(transaction, situation(1, open(SECOND, 0))).join();
            queue(FIRST);
            assertThatThrownBy(() -> transaction.commit().join())
                    .cause()
                    .isInstanceOfSatisfying(FDBException.class, failed -> assertThat(failed.getCode())
                            .isEqualTo(NOT_COMMITTED));
        }
        assertThat(states(look(1, open(SECOND, 0)))).isEqualTo(Map.of(SECOND, SessionState.SESSION_STATE_WAITING));
        assertThat(record(FIRST).getState()).isEqualTo(SessionState.SESSION_STATE_OPEN);
    }

    @Test
    void aSessionWhoseCodeRunsKeepsItsSlotWhenItIsAskedToEnd() {
        look(1, open(FIRST, 0));
        codeRuns = true;
        assertThat(states(look(1, close(FIRST), open(SECOND, 0))))
                .isEqualTo(Map.of(
                        FIRST, SessionState.SESSION_STATE_CLOSING,
                        SECOND, SessionState.SESSION_STATE_WAITING));
        codeRuns = false;
        look(1);
        assertThat(held.keySet()).containsExactly(SECOND);
        assertThat(record(FIRST).getState()).isEqualTo(SessionState.SESSION_STATE_CLOSED);
    }

    @Test
    void whatIsRefusedLeavesTheOthersAlone() {
        look(2, open(FIRST, 0));
        SlotsRequest notTheOwner = SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(FIRST))
                        .setOwnerSecret(SessionIds.bytes(SECOND)))
                .build();
        SlotsRequest.Builder ofNobody = open(SECOND, 0).toBuilder();
        ofNobody.getOpenBuilder().setOwner(SessionIds.bytes(new UUID(7, 7)));

        SessionRound.Looked looked = look(2, notTheOwner, ofNobody.build(), open(THIRD, 0));

        assertThat(answer(looked, FIRST).getRefusal()).contains("may not close the session " + FIRST);
        assertThat(answer(looked, SECOND).getRefusal()).contains("Connect again");
        assertThat(held.keySet()).containsExactlyInAnyOrder(FIRST, THIRD);
        assertThat(store.read(transaction -> keys.record(transaction, SECOND)).join())
                .as("what was refused")
                .isEmpty();
    }

    @Test
    void aRepeatedRequestFindsWhatTheFirstOneHasDone() {
        look(1, open(FIRST, 0));
        assertThat(states(look(1, open(FIRST, 0)))).isEqualTo(Map.of(FIRST, SessionState.SESSION_STATE_OPEN));
        look(1, close(FIRST));
        assertThat(states(look(1, close(FIRST)))).isEqualTo(Map.of(FIRST, SessionState.SESSION_STATE_CLOSED));
        assertThat(states(look(1, open(FIRST, 0)))).isEqualTo(Map.of(FIRST, SessionState.SESSION_STATE_CLOSED));
    }

    @Test
    void afterATryOfUnknownOutcomeTheStoreTellsHowOftenASlotWasGranted() {
        look(1, open(FIRST, 0));
        look(1, close(FIRST));
        look(1, open(SECOND, 0));
        held = new HeldSessions(store).read(SEAT).join();
        tokens = SlotTokens.unknown();

        SessionRound.Looked looked = look(1, close(SECOND), open(THIRD, 0));

        assertThat(looked.held().keySet()).containsExactly(THIRD);
        assertThat(looked.held().get(THIRD).getSlots(0).getToken())
                .as("the token of the slot that the third session has")
                .isEqualTo(3);
    }

    private SessionRound.Looked look(int slots, SlotsRequest... asked) {
        SessionRound.Situation situation = situation(slots, asked);
        SessionRound.Looked looked =
                store.runPlain(transaction -> round.run(transaction, situation)).join();
        held = looked.held();
        tokens = looked.tokens();
        pass = looked.pass();
        return looked;
    }

    private SessionRound.Situation situation(int slots, SlotsRequest... asked) {
        return new SessionRound.Situation(
                new SlotCapacity(Map.of("gpu", slots), 1).offer(),
                held,
                tokens,
                Map.of(),
                Map.of(),
                List.of(asked),
                true,
                false,
                id -> !codeRuns,
                Optional.empty(),
                false,
                pass);
    }

    private static SlotsRequest open(UUID id, int priority) {
        return open(id, "gpu", priority);
    }

    private static SlotsRequest open(UUID id, SlotDemand.Builder demand) {
        SlotsRequest.Builder request = open(id, 0).toBuilder();
        request.getOpenBuilder().setDemand(demand);
        return request.build();
    }

    private static SlotsRequest open(UUID id, String resource, int priority) {
        return SlotsRequest.newBuilder()
                .setOpen(OpenSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(id))
                        .setPriority(priority)
                        .setDemand(SlotDemand.newBuilder().putSlots(resource, 1))
                        .setCreationTimeoutMillis(60_000)
                        .setOwnerSecret(SessionIds.bytes(id))
                        .setUserSecret(SessionIds.bytes(id)))
                .build();
    }

    private static SlotsRequest close(UUID id) {
        return SlotsRequest.newBuilder()
                .setClose(CloseSessionRequest.newBuilder()
                        .setId(SessionIds.bytes(id))
                        .setOwnerSecret(SessionIds.bytes(id)))
                .build();
    }

    /** As a worker does that can ask nobody. */
    private void queue(UUID id) {
        SessionRecord waiting = SessionDemands.checked(open(id, 0).getOpen(), environment.wallClockMillis());
        database.run(transaction -> {
            keys.set(transaction, id, waiting);
            keys.queue(transaction, id, waiting);
            return null;
        });
    }

    private SessionRecord record(UUID id) {
        return store.read(transaction -> keys.record(transaction, id)).join().orElseThrow();
    }

    private static SlotsAnswer answer(SessionRound.Looked looked, UUID id) {
        ByteString key = SessionIds.bytes(id);
        return looked.answers().getOrDefault(key, AskedSlots.UNKNOWN);
    }

    private static Map<UUID, SessionState> states(SessionRound.Looked looked) {
        Map<UUID, SessionState> states = new HashMap<>();
        Stream.of(FIRST, SECOND, THIRD)
                .filter(id -> answer(looked, id).hasSession())
                .forEach(id -> states.put(id, answer(looked, id).getSession().getState()));
        return states;
    }
}
