/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.submit.Submission.Submitted;
import dev.ratchet.futures.worker.StoreFixture;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFunction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests share a transaction when there are many, and none of them notices. */
class SubmitGroupsTest {

    private static final Optional<String> WAITER = Optional.of("w-0");
    private static final Submitted NOTHING = new Submitted(List.of(), Map.of(), Map.of());

    private record Asked(SubmitRequest request, SpeculativeValues client, CompletableFuture<Submitted> answer) {}

    private final List<Asked> together = new ArrayList<>();
    private final List<Asked> alone = new ArrayList<>();
    private final SubmitGroups groups = new SubmitGroups(
            (request, waiter, client) -> ask(together, request, client),
            (request, waiter) -> ask(alone, request, SpeculativeValues.NOBODY),
            2,
            Runnable::run);

    private static CompletableFuture<Submitted> ask(
            List<Asked> asked, SubmitRequest request, SpeculativeValues client) {
        asked.add(new Asked(request, client, new CompletableFuture<>()));
        return asked.getLast().answer();
    }

    private static SubmitRequest request(FutureId... ids) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder()
                .setMayRunFirst(true)
                .addFunctions(SubmittedFunction.newBuilder().setDigest(ByteString.copyFromUtf8("code")));
        for (FutureId id : ids) {
            request.addFutures(StoreFixture.submitted(id, SubmitOptions.ofJob("groups")));
        }
        return request.build();
    }

    private static FutureId[] ids(int count) {
        return IntStream.range(0, count).mapToObj(n -> FutureId.random()).toArray(FutureId[]::new);
    }

    @Test
    void aLoneRequestIsRecordedAtOnceAsItIs() {
        SubmitRequest first = request(FutureId.random());
        SubmitRequest second = request(FutureId.random());

        CompletableFuture<Submitted> submitted = groups.submit(first, WAITER, SpeculativeValues.NOBODY);
        var unused = groups.submit(second, WAITER, SpeculativeValues.NOBODY);

        assertThat(together).extracting(Asked::request).containsExactly(first, second);
        together.get(0).answer().complete(NOTHING);
        assertThat(submitted.join()).isSameAs(NOTHING);
    }

    @Test
    void whatComesMeanwhileSharesTheNextTransactionAndIsToldItsPart() {
        occupy();
        FutureId done = FutureId.random();
        FutureId refused = FutureId.random();
        FutureId block = BlockIds.of(UUID.randomUUID());
        CompletableFuture<Submitted> one = groups.submit(request(done, refused), WAITER, SpeculativeValues.NOBODY);
        CompletableFuture<Submitted> two = groups.submit(
                SubmitRequest.newBuilder()
                        .addBlocks(SubmittedBlock.newBuilder()
                                .setCommon(SubmittedFuture.newBuilder().setId(Ids.bytes(block)))
                                .setFutures(9))
                        .build(),
                WAITER,
                SpeculativeValues.NOBODY);
        CompletableFuture<Submitted> three =
                groups.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY);
        assertThat(together).hasSize(2);

        together.get(1).answer().complete(NOTHING);

        SubmitRequest merged = together.get(2).request();
        assertThat(merged.getFuturesCount()).isEqualTo(3);
        assertThat(merged.getBlocksCount()).isEqualTo(1);
        assertThat(merged.getFunctionsCount()).as("equal code").isEqualTo(1);
        FutureId left = BlockIds.future(block, 4);
        FutureRecord record = FutureRecord.getDefaultInstance();
        List<ResultRun> results = List.of(ResultRun.getDefaultInstance());
        Refusal refusal = Refusal.newBuilder().setId(Ids.bytes(refused)).build();
        together.get(2)
                .answer()
                .complete(new Submitted(
                        List.of(refusal), Map.of(done, record, block, record, left, record), Map.of(block, results)));
        assertThat(one.join()).isEqualTo(new Submitted(List.of(refusal), Map.of(done, record), Map.of()));
        assertThat(two.join())
                .isEqualTo(new Submitted(List.of(), Map.of(block, record, left, record), Map.of(block, results)));
        assertThat(three.join()).isEqualTo(NOTHING);
    }

    @Test
    void aGroupThatFailsIsMadeAgainOneByOneWithTheAttemptThatWasLost() {
        occupy();
        CompletableFuture<Submitted> good = groups.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY);
        CompletableFuture<Submitted> bad = groups.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY);
        together.get(0).answer().complete(NOTHING);

        together.get(2).answer().completeExceptionally(new IllegalStateException("both"));

        assertThat(alone)
                .hasSize(2)
                .allMatch(asked -> asked.request().getLostAttempts() == 1
                        && !asked.request().getMayRunFirst());
        alone.get(0).answer().complete(NOTHING);
        alone.get(1).answer().completeExceptionally(new IllegalStateException("this one"));
        assertThat(good.join()).isEqualTo(NOTHING);
        assertThatThrownBy(bad::join).hasMessageContaining("this one");
    }

    @Test
    void aGroupFitsIntoATransactionAndHasEachFutureOnce() {
        occupy();
        FutureId twice = FutureId.random();
        for (FutureId[] ids : List.of(ids(600), ids(600), new FutureId[] {twice}, new FutureId[] {twice})) {
            var unused = groups.submit(request(ids), WAITER, SpeculativeValues.NOBODY);
        }
        var other = groups.submit(request(FutureId.random()), Optional.empty(), SpeculativeValues.NOBODY);

        List<Integer> sizes = new ArrayList<>();
        for (int i = 1; i < together.size(); i++) {
            sizes.add(together.get(i).request().getFuturesCount());
            together.get(i).answer().complete(NOTHING);
        }

        assertThat(sizes).containsExactly(1, 600, 600, 1, 1, 1);
        assertThat(other).isCompleted();
    }

    private static SubmitRequest ofTenant(String tenant, int futures) {
        SubmitRequest.Builder request = SubmitRequest.newBuilder().setMayRunFirst(true);
        for (FutureId id : ids(futures)) {
            request.addFutures(
                    StoreFixture.submitted(id, SubmitOptions.ofJob("groups").withTenant(tenant)));
        }
        return request.build();
    }

    @Test
    void aTenantIsInTheNextGroupHoweverMuchAnotherOneHasSubmittedBefore() {
        for (int i = 0; i < 500; i++) {
            var unused = groups.submit(ofTenant("flood", 1), WAITER, SpeculativeValues.NOBODY);
        }
        for (int i = 0; i < 100; i++) {
            var unused = groups.submit(ofTenant("flood", 500), WAITER, SpeculativeValues.NOBODY);
        }
        SubmitRequest single = ofTenant("other", 1);
        var submitted = groups.submit(single, WAITER, SpeculativeValues.NOBODY);

        together.get(0).answer().complete(NOTHING);

        assertThat(together.get(2).request().getFuturesList()).containsAll(single.getFuturesList());
        assertThat(submitted).isNotDone();
    }

    @Test
    void bulkNeverTakesAllGroupsAndNeverTravelsWithOthers() {
        for (int i = 0; i < 3; i++) {
            var unused = groups.submit(ofTenant("flood", 900), WAITER, SpeculativeValues.NOBODY);
        }
        assertThat(together).as("one of two groups").hasSize(1);
        SubmitRequest single = ofTenant("other", 1);

        var submitted = groups.submit(single, WAITER, SpeculativeValues.NOBODY);

        assertThat(together.get(1).request()).as("at once and alone").isEqualTo(single);
        assertThat(submitted).isNotDone();
        together.get(0).answer().complete(NOTHING);
        assertThat(together.get(2).request().getFuturesCount()).isEqualTo(900);
    }

    @Test
    void whatIsRefusedAtOnceHoldsUpNobody() {
        SubmitGroups refusing = new SubmitGroups(
                (request, waiter, client) -> {
                    throw new IllegalArgumentException("unusable");
                },
                (request, waiter) -> CompletableFuture.completedFuture(NOTHING),
                1,
                Runnable::run);
        for (int i = 0; i < 3; i++) {
            assertThat(refusing.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY))
                    .isCompletedExceptionally();
        }
    }

    @Test
    void eachClientOfAGroupIsToldItsOwnValuesAndOthersNothing() {
        occupy();
        FutureId[] ids = ids(3);
        Map<FutureId, ByteString> toldOne = new HashMap<>();
        Map<FutureId, ByteString> toldOther = new HashMap<>();
        var one = groups.submit(request(ids[0]), WAITER, SpeculativeValues.NOBODY);
        var two = groups.submit(request(ids[1]), WAITER, toldOne::putAll);
        var three = groups.submit(request(ids[2]), WAITER, toldOther::putAll);
        together.get(0).answer().complete(NOTHING);

        ByteString value = ByteString.copyFromUtf8("value");
        together.get(2).client().told(Map.of(ids[0], value, ids[1], value, ids[2], value));

        assertThat(toldOne).containsOnlyKeys(ids[1]);
        assertThat(toldOther).containsOnlyKeys(ids[2]);
        assertThat(List.of(one, two, three)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void whoeverHasItsValueDoesNotWaitForTheRecordOfTheOneBefore() {
        for (int i = 0; i < 20; i++) {
            var unused = groups.submit(request(FutureId.random()), WAITER, values -> {});
        }
        assertThat(together).as("as many as may be recorded at a time").hasSize(16);
        var other = groups.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY);

        together.get(0).answer().complete(NOTHING);

        assertThat(together.get(16).request().getFuturesCount())
                .as("what has waited")
                .isEqualTo(5);
        assertThat(other).isNotDone();
    }

    private void occupy() {
        for (int i = 0; i < 2; i++) {
            var unused = groups.submit(request(FutureId.random()), WAITER, SpeculativeValues.NOBODY);
        }
    }
}
