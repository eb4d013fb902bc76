/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.claim.ClaimLoop;
import dev.ratchet.futures.claim.WorkCounters;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.queue.Capacity;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of code that was told to give way, where it ends before the worker has given its claim back. */
class EndingsTest {

    private static final String SEAT = "w-0";

    @TempDir
    Path directory;

    private Endings endings(StoreFixture fixture, Executions executions) throws Exception {
        OpenSeat seat = new OpenSeat(SEAT);
        WorkCounters counters = new WorkCounters();
        ClaimLoop claims = new ClaimLoop(
                fixture.environment, seat, fixture.claimer(SEAT), executions, counters, taken -> {}, () -> false);
        claims.abandon();
        Unrecorded unrecorded = new Unrecorded(new ObjectStore(directory, 1 << 20, 1 << 20));
        return new Endings(
                seat, executions, fixture.outcomeCommitter(SEAT), unrecorded, (id, outcome) -> {}, counters, claims);
    }

    /** Has what was submitted claimed and begun, told to give way, and ended so. */
    private void endAfterGivingWay(StoreFixture fixture, Map<FutureId, Optional<Outcome>> attempts) throws Exception {
        Claimed claimed =
                fixture.claimer(SEAT).claim(StoreFixture.room(1)).join().getFirst();
        Executions executions = new Executions(2, Capacity.ofThreads(2));
        Execution execution = new Execution(claimed, 0);
        executions.add(execution);
        execution.start(0);
        execution.stop(Execution.Stop.GIVE_BACK);
        execution.end();

        endings(fixture, executions).ended(execution, attempts).join();

        assertThat(executions.list()).isEmpty();
    }

    /** The record of a future whose attempt ends so after it was told to give way. */
    private FutureRecord afterGivingWay(Outcome outcome) throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            FutureId id = fixture.submit(1);
            endAfterGivingWay(fixture, Map.of(id, Optional.of(outcome)));
            return fixture.record(id);
        }
    }

    @Test
    void whatFailsOnceItWasToldToGiveWayIsGivenBackWithoutCountingIt() throws Exception {
        requireGivenBack(afterGivingWay(interrupted()));
    }

    @Test
    void whatFailsOfABlockThatWasToldToGiveWayIsGivenBackWithoutCountingIt() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            List<FutureId> futures = fixture.submitBlock(3);

            endAfterGivingWay(
                    fixture,
                    Map.of(
                            futures.get(0), Optional.of(StoreFixture.value("done")),
                            futures.get(1), Optional.of(interrupted())));

            assertThat(fixture.record(futures.get(0)).getState()).isEqualTo(State.STATE_REALIZED);
            requireGivenBack(fixture.record(futures.get(1)));
            requireGivenBack(fixture.record(futures.get(2)));
        }
    }

    @Test
    void aBlockOfWhichNothingButAFailureWasSeenIsGivenBackAsItIs() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            List<FutureId> futures = fixture.submitBlock(3);

            endAfterGivingWay(fixture, Map.of(futures.get(0), Optional.of(interrupted())));

            assertThat(fixture.record(BlockIds.blockOf(futures.get(0))).getState())
                    .isEqualTo(State.STATE_QUEUED);
        }
    }

    /** The worker is told to leave while the request is recorded whose future runs already. */
    @Test
    void whatRunsBeforeItsFutureIsRecordedIsGivenBackOnceItIs() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            FutureId id = FutureId.random();
            ClaimToken token = ClaimToken.newBuilder()
                    .setSeat(SEAT)
                    .setIncarnation(1)
                    .setEpoch(1)
                    .setNonce(1)
                    .build();
            Claimed early =
                    new Claimed(id, FutureRecord.newBuilder().setClaim(token).build());
            CompletableFuture<Void> recorded = new CompletableFuture<>();
            Executions executions = new Executions(2, Capacity.ofThreads(2));
            Execution execution = new Execution(early, 0);
            execution.runIn(new Execution(early, 0), () -> {}, recorded);
            execution.start(0);
            executions.add(execution);

            endings(fixture, executions).giveBackAll();
            execution.end();
            fixture.submitRunning(id, token);
            recorded.complete(null);

            await("the execution is not held any more")
                    .atMost(60, SECONDS)
                    .until(() -> executions.list().isEmpty());
            requireGivenBack(fixture.record(id));
        }
    }

    @Test
    void whatIsClaimedOrTakenOverAfterEverythingWasGivenBackIsGivenBackToo() throws Exception {
        try (StoreFixture fixture = new StoreFixture()) {
            FutureId claimed = fixture.submit(1);
            FutureId running = fixture.submit(1);
            Executions executions = new Executions(2, Capacity.ofThreads(2));
            Endings endings = endings(fixture, executions);
            endings.giveBackAll();

            for (Claimed claim :
                    fixture.claimer(SEAT).claim(StoreFixture.room(2)).join()) {
                Execution execution = new Execution(claim, 0);
                if (claim.id().equals(running)) {
                    execution.start(0);
                }
                executions.add(execution);
                endings.added(execution);
            }

            assertThat(Thread.interrupted()).as("what runs is interrupted").isTrue();
            await("neither is held any more")
                    .atMost(60, SECONDS)
                    .until(() -> executions.list().isEmpty());
            requireGivenBack(fixture.record(claimed));
            requireGivenBack(fixture.record(running));
        }
    }

    private static Outcome interrupted() {
        return new Outcome.Failed(
                Failures.of(FailureKind.FAILURE_KIND_EXCEPTION, new InterruptedException("planted"), SEAT), false);
    }

    private static void requireGivenBack(FutureRecord record) {
        assertThat(record.getState()).isEqualTo(State.STATE_QUEUED);
        assertThat(record.getNumAttempts()).isZero();
    }

    @Test
    void whatReturnsAlthoughItWasToldToGiveWayIsRealized() throws Exception {
        assertThat(afterGivingWay(StoreFixture.value("done")).getState()).isEqualTo(State.STATE_REALIZED);
    }
}
