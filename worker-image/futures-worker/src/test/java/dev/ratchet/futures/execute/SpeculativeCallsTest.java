/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that were run before they are recorded count exactly if nothing has come between. */
class SpeculativeCallsTest {

    private static final ActorSnapshot BEGUN_WITH = snapshot("begun with");
    private static final ActorSnapshot LEFT = snapshot("left");

    private final StoreFixture steps = new StoreFixture();
    private final FutureId actor = FutureId.random();
    private final FutureId first = FutureId.random();
    private final FutureId second = FutureId.random();
    private final ActorStates states = new ActorStates(steps.store.keys());

    @BeforeEach
    void begin() {
        record(ActorSnapshot.NONE, BEGUN_WITH);
    }

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void callsCountWhereNothingHasComeBetween() {
        assertThat(counted(List.of(), List.of(), LEFT)).containsExactlyInAnyOrder(first, second);
        assertThat(recorded()).isEqualTo(LEFT);
    }

    @Test
    void readsCountAndChangeNothing() {
        assertThat(counted(List.of(), List.of(), BEGUN_WITH)).containsExactlyInAnyOrder(first, second);
        assertThat(recorded()).isEqualTo(BEGUN_WITH);
    }

    @Test
    void callsThatBeganWithAnotherStateThanTheRecordedDoNotCount() {
        ActorSnapshot other = snapshot("of another call");
        record(BEGUN_WITH, other);

        assertThat(counted(List.of(), List.of(), LEFT)).isEmpty();
        assertThat(recorded()).isEqualTo(other);
    }

    @Test
    void callsBehindAnOpenOneDoNotCount() {
        FutureId open = steps.submit(0);

        assertThat(counted(List.of(open), List.of(open), LEFT)).isEmpty();
        assertThat(recorded()).isEqualTo(BEGUN_WITH);
    }

    @Test
    void callsBehindOneThatIsOverOrGoneCount() {
        FutureId over = steps.submit(0);
        Claimed claimed =
                steps.claimer("w-0").claim(StoreFixture.room(1)).join().getFirst();
        assertThat(steps.outcomeCommitter("w-0")
                        .record(claimed, StoreFixture.value("done"))
                        .join())
                .isTrue();

        assertThat(counted(List.of(over, FutureId.random()), List.of(over), LEFT))
                .containsExactlyInAnyOrder(first, second);
        assertThat(recorded()).isEqualTo(LEFT);
    }

    @Test
    void callsOfWhichOneIsKnownAlreadyDoNotCountTogether() {
        assertThat(steps.submit(second, SubmitOptions.ofJob(StoreFixture.JOB))).isEmpty();

        assertThat(counted(List.of(), List.of(second), LEFT)).isEmpty();
        assertThat(recorded()).isEqualTo(BEGUN_WITH);
    }

    /** Its upstream may have been deleted since, or its parent cancelled. */
    @Test
    void callsOfWhichOneIsRefusedLeaveNoState() {
        assertThat(counted(List.of(), List.of(), Set.of(second), LEFT)).isEmpty();
        assertThat(recorded()).isEqualTo(BEGUN_WITH);
    }

    private Set<FutureId> counted(List<FutureId> lastCalls, List<FutureId> known, ActorSnapshot left) {
        return counted(lastCalls, known, Set.of(), left);
    }

    /** Which of two calls that began with {@link #BEGUN_WITH} count. */
    private Set<FutureId> counted(
            List<FutureId> lastCalls, List<FutureId> known, Set<FutureId> refused, ActorSnapshot left) {
        SpeculativeAttempts early = new SpeculativeAttempts(
                null,
                ClaimToken.getDefaultInstance(),
                null,
                Map.of(first, Optional.of(StoreFixture.value("1")), second, Optional.empty()),
                List.of(new SpeculativeRun(
                        actor, BEGUN_WITH, left, Set.of(first, second), Optional.empty(), SpeculativeRun.NO_VERSION)));
        return steps.store
                .run(futures -> futures.loadAll(known)
                        .thenCompose(loaded -> early.counting(
                                states,
                                futures,
                                Map.of(Ids.bytes(actor), lastCalls),
                                loaded.stream().collect(Collectors.toMap(LoadedFuture::id, Function.identity())),
                                refused)))
                .join()
                .outcomes()
                .keySet();
    }

    private ActorSnapshot recorded() {
        return steps.store.read(transaction -> states.read(transaction, actor)).join();
    }

    private void record(ActorSnapshot before, ActorSnapshot after) {
        steps.store
                .run(futures -> {
                    states.change(actor, before, after).apply(futures.transaction());
                    return CompletableFuture.completedFuture(null);
                })
                .join();
    }

    private static ActorSnapshot snapshot(String text) {
        return new ActorSnapshot(ActorStates.writer(FutureId.random(), 1), ByteString.copyFromUtf8(text));
    }
}
