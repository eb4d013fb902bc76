/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.execute.SpeculativeCalls;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.store.fixture.Growth;
import dev.ratchet.store.fixture.MeasuredDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** However many actors are called at once, each with a state of its own, no transaction reads or writes them all. */
class ActorGrowthTest {

    private static final String SEAT = "w-0";

    /** Together their states have several times what a transaction may have. */
    private static final int ACTORS = 200;

    private static final int STATE_BYTES = 80_000;

    private final MeasuredDatabase measured = new MeasuredDatabase();
    private final StoreFixture steps = new StoreFixture(measured.wrapper());
    private final ActorStates states = new ActorStates(steps.store.keys());

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void statesThatCallsHaveLeftAreNotAllRecordedByOneTransaction() {
        OutcomeCommitter committer = steps.outcomeCommitter(SEAT);
        List<CompletableFuture<Boolean>> recorded = claims().stream()
                .map(claimed -> committer.record(claimed, leaving(claimed)))
                .toList();
        AsyncUtil.whenAll(recorded).join();
        assertThat(recorded).allMatch(CompletableFuture::join);
        Growth.assertBounded(measured, Set.of("OutcomeCommitter.commit"), Map.of());
    }

    @Test
    void statesOfActorsThatAreCalledTogetherAreNotAllReadByOneTransaction() {
        List<FutureId> actors = Stream.generate(FutureId::random).limit(ACTORS).toList();
        actors.forEach(actor -> steps.store
                .runPlain(transaction -> {
                    states.replacing(actor, ActorSnapshot.NONE, state(actor)).apply(transaction);
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join());
        List<SubmittedFuture> calls = actors.stream()
                .map(actor -> SubmittedFuture.newBuilder()
                        .setId(Ids.bytes(FutureId.random()))
                        .setActor(Ids.bytes(actor))
                        .build())
                .toList();
        long begun = new SpeculativeCalls(steps.store, SEAT, new LiveActors())
                .inTurn(
                        calls,
                        turn -> CompletableFuture.completedFuture(actors.stream()
                                .filter(actor -> turn.line(Ids.bytes(actor)).isPresent())
                                .count()))
                .join();
        assertThat(begun).as("actors whose calls may be run at once").isPositive();
        Growth.assertBounded(measured, Set.of("SpeculativeCalls.turn"), Map.of());
    }

    private List<Claimed> claims() {
        steps.submitAll(ACTORS, SubmitOptions.ofJob(StoreFixture.JOB));
        List<Claimed> all = new ArrayList<>();
        while (all.size() < ACTORS) {
            all.addAll(steps.claimer(SEAT).claim(StoreFixture.room(ACTORS)).join());
        }
        return all;
    }

    private Outcome leaving(Claimed claimed) {
        FutureId actor = FutureId.random();
        ActorSnapshot left = state(claimed.id());
        return new Outcome.Realized(
                Result.getDefaultInstance(),
                states.change(actor, ActorSnapshot.NONE, left),
                Optional.of(left),
                Optional.empty());
    }

    private static ActorSnapshot state(FutureId call) {
        return new ActorSnapshot(ActorStates.writer(call, 1), ByteString.copyFrom(new byte[STATE_BYTES]));
    }
}
