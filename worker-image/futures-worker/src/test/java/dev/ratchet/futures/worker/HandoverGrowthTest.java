/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.claim.Claimer;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.futures.object.Adoption;
import dev.ratchet.futures.object.ObjectClient;
import dev.ratchet.futures.object.ObjectLocator;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectsService;
import dev.ratchet.futures.session.SessionKeys;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.submit.Awaiting;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.SessionBinding;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.objects.v1.AdoptRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SessionState;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What comes to pass when a worker leaves, or has lost a copy, and only where others do not know of that yet, comes no
 * nearer to the limits of {@link Growth} than the rest.
 */
class HandoverGrowthTest {

    private static final int RECORDS = Growth.RECORDS / 5;
    private static final String SEAT = "w-0";
    private static final String SOURCE = "w-1";
    private static final int SUBMITTED_AT_ONCE = 500;
    private static final int OBJECT_BYTES = 10;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final SubmitOptions OPTIONS = SubmitOptions.ofJob(StoreFixture.JOB);

    @TempDir
    Path directory;

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final StoreFixture steps = new StoreFixture(measured.wrapper());
    private final StoredMembers members = new StoredMembers(steps.store.keys().keyspace());

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void aWorkerThatLeavesClaimsOfItsSessionsNoMoreAtOnceThanOthersDo() {
        UUID session = UUID.randomUUID();
        SessionRecord open = SessionRecord.newBuilder()
                .setState(SessionState.SESSION_STATE_OPEN)
                .setSeat(SEAT)
                .setIncarnation(1)
                .build();
        write(transaction -> new SessionKeys(steps.store.keys()).records.set(transaction, open, session));
        steps.members.add(StoreFixture.member(SEAT, WorkerState.DRAINING));
        steps.submitAll(RECORDS, OPTIONS);
        for (int count = 0; count < RECORDS; count += SUBMITTED_AT_ONCE) {
            submitTo(session);
        }
        List<Claimed> claimed = steps.claimer(SEAT)
                .claimOfSessions(StoreFixture.room(Claimer.BATCH_MAX))
                .join();
        assertThat(claimed).as("claimed of the session").hasSizeGreaterThan(1);
        Growth.assertBounded(measured, Set.of("Claimer.claimOfSessions"), Map.of());
    }

    private void submitTo(UUID session) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder();
        for (int count = 0; count < SUBMITTED_AT_ONCE; count++) {
            SubmittedFuture.Builder future = StoreFixture.submitted(FutureId.random(), OPTIONS).toBuilder();
            future.getSchedulingSpecBuilder()
                    .setSession(SessionBinding.newBuilder().setId(SessionIds.bytes(session)));
            request.addFutures(future);
        }
        assertThat(steps.submission
                        .submit(request.build(), Optional.empty())
                        .join()
                        .refusals())
                .isEmpty();
    }

    @Test
    void aCopyThatIsTakenOrLostCostsTheSameHoweverManyNeedIt() throws IOException {
        FutureId lost = realized();
        FutureId revived = realized();
        ObjectName name = new ObjectName(lost, 1);
        ObjectStore own = new ObjectStore(directory, 0, 1 << 20, Optional.empty(), true);
        own.put(name, new byte[OBJECT_BYTES]);
        ObjectLocator locator = locator(own);

        write(transaction -> members.write(
                transaction, SOURCE, MemberRecord.newBuilder().setIncarnation(1).build()));
        AdoptRequest request = AdoptRequest.newBuilder()
                .setName(ObjectsService.message(name))
                .setSourceSeat(SOURCE)
                .build();
        Adoption adoption = new Adoption(steps.store, new OpenSeat(SEAT), members, ToldLiveness.allDead(), locator);
        assertThat(adoption.apply(request).join().getSeat()).isEqualTo(SEAT);

        deleteFiles();
        assertThat(locator.load(lost).join()).isInstanceOf(ObjectLocator.Found.Lost.class);
        Awaitility.await("the missing copy to be forgotten")
                .atMost(LIMIT)
                .until(() -> steps.record(lost).getState() == State.STATE_LOST);

        StoredObject missing = steps.record(revived).getResult().getObject();
        new Awaiting(steps.store, steps.reconstruction, steps.dependents)
                .revive(revived, missing)
                .join();
        assertThat(steps.record(revived).getState()).isEqualTo(State.STATE_QUEUED);
        Growth.assertBounded(
                measured,
                Set.of("Adoption.address", "Awaiting.revive", "CopyRecords.forget", "ObjectLocator.preserve"),
                Map.of());
    }

    /** One whose only copy is here, and that is given to many others. */
    private FutureId realized() {
        FutureId id = steps.submit(1);
        Claimed claimed = steps.claimer(SEAT).claim(StoreFixture.room(1)).join().getFirst();
        Result result = Result.newBuilder()
                .setObject(StoredObject.newBuilder()
                        .setEpoch(1)
                        .setBytes(OBJECT_BYTES)
                        .addCopies(Copy.newBuilder().setSeat(SEAT).setIncarnation(1)))
                .build();
        assertThat(steps.outcomeCommitter(SEAT)
                        .record(claimed, new Outcome.Realized(result))
                        .join())
                .isTrue();
        steps.submitAll(RECORDS, OPTIONS.withDelay(Duration.ofHours(1)), id);
        return id;
    }

    private ObjectLocator locator(ObjectStore own) {
        ObjectClient client = new ObjectClient(
                (seat, address) -> {
                    throw new IllegalStateException("Nobody is asked: " + seat);
                },
                steps.environment);
        return new ObjectLocator(steps.store, new OpenSeat(SEAT), members, ToldLiveness.allDead(), own, client);
    }

    private void deleteFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    private void write(Consumer<Transaction> change) {
        steps.store
                .runPlain(transaction -> {
                    change.accept(transaction);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();
    }
}
