/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.worker.CollectionFixture;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.SchedulingSpec;
import dev.ratchet.protocol.futures.v1.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What waits for futures with more dependents than one transaction releases. */
class UnsettledTest extends CollectionFixture {

    private static final int MANY = Dependents.RELEASED_MAX + 50;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final ByteString actor = Ids.bytes(FutureId.random());

    @Test
    void theDependentsOfAllAreReleasedHoweverManyFuturesHaveMany() {
        List<FutureId> upstreams =
                IntStream.range(0, 10).mapToObj(i -> submit(List.of(), 0)).toList();
        List<FutureId> downstreams = new ArrayList<>();
        for (FutureId upstream : upstreams) {
            downstreams.addAll(submitMany(SubmittedFuture.newBuilder().addUpstreams(Ids.bytes(upstream))));
        }
        assertThat(finish(false)).isEqualTo(upstreams.size());
        assertThat(downstreams).as("some are left to the rest").anyMatch(id -> state(id) == State.STATE_WAITING);

        new Unsettled(store, dependents()).release();

        Awaitility.await().atMost(LIMIT).until(() -> downstreams.stream()
                .allMatch(id -> state(id) == State.STATE_QUEUED));
        assertThat(unsettled()).isEmpty();
    }

    /** Nothing but the order of calls connects them: the record of the first one is not kept as lineage. */
    @Test
    void readsGoOnWhenTheCallThatTheyWaitForIsDeleted() {
        FutureId call = submit(List.of(), 0, call());
        claimAll();
        List<FutureId> reads = submitMany(read());

        assertThat(delete(call)).containsExactly(call);

        assertThat(record(call)).isEmpty();
        assertThat(reads).allMatch(id -> state(id) == State.STATE_QUEUED);
        assertThat(unsettled()).isEmpty();
    }

    @Test
    void aRetentionThatIsOverDoesNotRemoveTheCallForWhichReadsStillWait() {
        FutureId call = submit(
                List.of(),
                0,
                call().setSchedulingSpec(SchedulingSpec.newBuilder().setRetentionMillis(RETENTION_MILLIS)));
        List<Claimed> claims = claimAll();
        List<FutureId> reads = submitMany(read());
        settle(claims, false);
        environment.pass(RETENTION_MILLIS + 1);

        collectAll();
        assertThat(record(call)).isPresent();

        new Unsettled(store, dependents()).release();
        Awaitility.await().atMost(LIMIT).until(() -> reads.stream().allMatch(id -> state(id) == State.STATE_QUEUED));
        environment.pass(Duration.ofHours(1).toMillis());
        collectAll();
        assertThat(record(call)).isEmpty();
    }

    /** As a release that had ended between their downstreams' and their own removal would leave it. */
    @Test
    void whatIsGoneDoesNotKeepOthersFromBeingReleased() {
        List<FutureId> gone =
                IntStream.range(0, 10).mapToObj(i -> FutureId.random()).toList();
        store.runPlain(transaction -> {
                    gone.forEach(id -> transaction.set(keys.unsettled.key(id.value()), new byte[0]));
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .join();

        new Unsettled(store, dependents()).release();

        Awaitility.await().atMost(LIMIT).until(() -> unsettled().isEmpty());
    }

    private SubmittedFuture.Builder call() {
        return SubmittedFuture.newBuilder().setActor(actor).setArgumentKind(ArgumentKind.ARGUMENT_KIND_ACTOR);
    }

    private SubmittedFuture.Builder read() {
        return SubmittedFuture.newBuilder().setActor(actor).setArgumentKind(ArgumentKind.ARGUMENT_KIND_ACTOR_COPY);
    }

    private List<FutureId> submitMany(SubmittedFuture.Builder future) {
        List<FutureId> ids =
                IntStream.range(0, MANY).mapToObj(i -> FutureId.random()).toList();
        SubmitRequest.Builder request = SubmitRequest.newBuilder();
        ids.forEach(id -> request.addFutures(
                future.clone().setId(Ids.bytes(id)).setJob("collection").build()));
        submit(request.build());
        return ids;
    }

    private State state(FutureId id) {
        return record(id).orElseThrow().getState();
    }

    private List<String> unsettled() {
        return left().stream()
                .filter(path -> path.startsWith("futures/unsettled/"))
                .toList();
    }
}
