/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.Refusal;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedBlock;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Small maps are sent singly under ids of a block that nobody sends: neither may ever meet the other. */
class BlockIdsTest {

    private final StoreFixture fixture = new StoreFixture();
    private final FutureId block = BlockIds.of(UUID.randomUUID());

    @AfterEach
    void everythingAgrees() {
        assertThat(new ClusterCheck(fixture.store, fixture.noMembers())
                        .run()
                        .join()
                        .violations())
                .isEmpty();
        fixture.close();
    }

    @Test
    void aBlockWithIdsThatWereSubmittedSinglyIsRefused() {
        assertThat(submit(single(3))).isEmpty();

        assertThat(submit(block(10)))
                .extracting(Refusal::getMessage)
                .containsExactly("Futures with ids of this block were submitted singly. Take a new id.");
        assertThat(submit(single(3))).as("the same again").isEmpty();
    }

    @Test
    void aSingleFutureIsRefusedWithAnIdThatARecordedBlockHasNot() {
        assertThat(submit(block(10))).isEmpty();

        assertThat(submit(single(11)))
                .extracting(Refusal::getMessage)
                .containsExactly("This is an id of a block that has no such future any more, or never had.");
        assertThat(submit(single(7))).as("it is known, and left as it is").isEmpty();
        assertThat(submit(block(10))).as("the same again").isEmpty();
    }

    @Test
    void ofBothInOneRequestTheBlockIsRecorded() {
        SubmitRequest both =
                block(10).toBuilder().addAllFutures(single(11).getFuturesList()).build();

        assertThat(submit(both)).extracting(Refusal::getId).containsExactly(Ids.bytes(BlockIds.future(block, 11)));
    }

    private List<Refusal> submit(SubmitRequest request) {
        return fixture.submission.submit(request, Optional.empty()).join().refusals();
    }

    private SubmitRequest single(int number) {
        return SubmitRequest.newBuilder()
                .addFutures(future(BlockIds.future(block, number)))
                .build();
    }

    private SubmitRequest block(int futures) {
        return SubmitRequest.newBuilder()
                .addBlocks(SubmittedBlock.newBuilder()
                        .setCommon(future(block))
                        .setFutures(futures)
                        .addArguments(ByteString.copyFromUtf8("x")))
                .build();
    }

    private static SubmittedFuture.Builder future(FutureId id) {
        return SubmittedFuture.newBuilder().setId(Ids.bytes(id)).setJob("ids");
    }
}
