/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.collect.Holders;
import dev.ratchet.futures.model.BlockFutures;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.settle.Claimed;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.futures.settle.OutcomeCommitter;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves a block because it gets a name is run as if it had none. */
class LeavingTest {

    private static final int FUTURES = 3;

    private final StoreFixture steps = new StoreFixture();
    private final Holders holders =
            new Holders(steps.store, (transaction, client) -> CompletableFuture.completedFuture(Optional.empty()));

    @AfterEach
    void close() {
        steps.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, FUTURES})
    void whatLeavesABlockThatWaitsIsQueuedByItself(int leaving) {
        List<FutureId> futures = steps.submitBlock(FUTURES);
        name(futures.subList(0, leaving));

        settle(claim());

        requireRunOnce(futures);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, FUTURES})
    void whatLeavesABlockThatRunsEndsWithIt(int leaving) {
        List<FutureId> futures = steps.submitBlock(FUTURES);
        List<Claimed> claims = claim();
        name(futures.subList(0, leaving));

        settle(claims);

        requireRunOnce(futures);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, FUTURES})
    void whatLeavesABlockThatRunsIsReleasedWithADeadWorker(int leaving) {
        List<FutureId> futures = steps.submitBlock(FUTURES);
        assertThat(claim()).hasSize(1);
        name(futures.subList(0, leaving));

        steps.takeover().release("w-0", 1).join();

        assertThat(futures).allMatch(id -> steps.record(id).getState() == State.STATE_QUEUED);
        settle(claim());
        assertThat(futures).allMatch(id -> steps.record(id).getState() == State.STATE_REALIZED);
    }

    private void name(List<FutureId> futures) {
        futures.forEach(
                id -> holders.bind("default", "name of " + id.value(), id).join());
    }

    private List<Claimed> claim() {
        List<Claimed> all = new ArrayList<>();
        List<Claimed> some = steps.claimer("w-0").claim(StoreFixture.room(10)).join();
        while (!some.isEmpty()) {
            all.addAll(some);
            some = steps.claimer("w-0").claim(StoreFixture.room(10)).join();
        }
        return all;
    }

    private void settle(List<Claimed> claims) {
        OutcomeCommitter outcomeCommitter = steps.outcomeCommitter("w-0");
        claims.forEach(claim -> {
            Outcome each = new Outcome.Realized(Result.newBuilder()
                    .setInline(ByteString.copyFromUtf8("value"))
                    .build());
            Map<FutureId, Optional<Outcome>> ended = new LinkedHashMap<>();
            for (int number : BlockFutures.numbers(claim.record())) {
                ended.put(BlockIds.future(claim.id(), number), Optional.of(each));
            }
            assertThat(outcomeCommitter
                            .record(claim, claim.record().hasBlock() ? new Outcome.OfBlock(ended) : each)
                            .join())
                    .isTrue();
        });
    }

    private void requireRunOnce(List<FutureId> futures) {
        for (FutureId id : futures) {
            FutureRecord record = steps.record(id);
            assertThat(record.getState()).isEqualTo(State.STATE_REALIZED);
            assertThat(record.getNumAttempts()).isEqualTo(1);
            assertThat(record.getResult().getInline().toStringUtf8()).isEqualTo("value");
        }
        assertThat(claim()).isEmpty();
    }
}
