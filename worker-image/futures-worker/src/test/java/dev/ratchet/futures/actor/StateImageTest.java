/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.store.keyspace.Keyspace;
import org.junit.jupiter.api.Test;

class StateImageTest {

    private static final ByteString CODE = ByteString.copyFrom(new byte[StateImage.CODE_BYTES]);
    private static final ByteString LIFE = ByteString.copyFrom(new byte[StateImage.LIFE_BYTES]);
    private static final ByteString LARGE = ByteString.copyFrom(new byte[ActorStates.RECORD_BYTES_MAX + 1]);
    private static final FutureId CALL = FutureId.random();
    private static final ClaimToken TOKEN =
            ClaimToken.newBuilder().setEpoch(3).setNonce(-7).build();

    private static ActorSnapshot snapshot(StateImage image) {
        return new ActorSnapshot(ActorStates.writer(CALL, TOKEN.getEpoch()), image.bytes());
    }

    private static LargeState large(ActorSnapshot whole) {
        return ActorStates.large(FutureId.random(), CALL, TOKEN, whole).orElseThrow();
    }

    @Test
    void whatTheFirstReleaseWritesAndReadsIsWrittenAsItWas() {
        ByteString content = ByteString.copyFromUtf8("content");
        StateImage recorded = StateImage.recorded(CODE, content);
        StateImage inMemory = StateImage.inMemory(CODE, LIFE, content);

        assertThat(recorded.bytes())
                .isEqualTo(ByteString.copyFrom(new byte[] {0}).concat(CODE).concat(content));
        assertThat(inMemory.bytes())
                .isEqualTo(ByteString.copyFrom(new byte[] {1})
                        .concat(CODE)
                        .concat(LIFE)
                        .concat(content));
        assertThat(StateImage.of(recorded.bytes())).isEqualTo(recorded);
        assertThat(StateImage.of(inMemory.bytes())).isEqualTo(inMemory);
        assertThat(ActorStates.large(CALL, CALL, TOKEN, snapshot(recorded))).isEmpty();
    }

    @Test
    void aLargeStateNamesItsPieces() {
        for (StateImage image :
                new StateImage[] {StateImage.recorded(CODE, LARGE), StateImage.inMemory(CODE, LIFE, LARGE)}) {
            ActorSnapshot whole = snapshot(image);
            StatePieces pieces = large(whole).pieces();
            ActorSnapshot recorded = whole.inPieces(pieces);

            assertThat(recorded.bytes().size()).isLessThan(200);
            assertThat(recorded.isInMemory()).isEqualTo(whole.isInMemory());
            assertThat(recorded.pieces()).hasValue(pieces);
            assertThat(recorded.pieces().orElseThrow().areOf(LARGE)).isTrue();
            assertThat(recorded.pieces().orElseThrow().areOf(LARGE.substring(1)))
                    .isFalse();
        }
    }

    @Test
    void aLargeStateThatACallLeavesAsItWasIsTheSame() {
        ActorSnapshot whole = snapshot(StateImage.recorded(CODE, LARGE));
        ActorSnapshot recorded = whole.inPieces(large(whole).pieces());
        ByteString next = ActorStates.writer(FutureId.random(), 1);

        assertThat(recorded.replacedBy(next, whole.bytes())).isSameAs(recorded);
        assertThat(recorded.replacedBy(
                                next,
                                StateImage.recorded(CODE, LARGE.substring(1)).bytes())
                        .writer())
                .isEqualTo(next);
        assertThat(recorded.replacedBy(
                                next, StateImage.inMemory(CODE, LIFE, LARGE).bytes())
                        .writer())
                .isEqualTo(next);
    }

    @Test
    void theLimitIsThatOfTheRecordedLevel() {
        FutureKeys keys = new FutureKeys(new Keyspace("test/levels"));
        ActorStates states = new ActorStates(keys);
        FutureId actor = FutureId.random();
        ActorSnapshot after = snapshot(StateImage.recorded(CODE, CODE));

        assertThat(states.bytesMax()).isEqualTo(1 << 20);
        assertThat(states.change(actor, ActorSnapshot.NONE, after).clears())
                .as("there are no pieces at the level of the first release")
                .isEmpty();
        keys.keyspace().formats().seen(StateImage.LEVEL_OF_PIECES);
        assertThat(states.bytesMax()).isEqualTo(64 << 20);
        assertThat(states.change(actor, ActorSnapshot.NONE, after).clears()).hasSize(1);
    }

    @Test
    void aDamagedImageSaysSo() {
        byte[] damaged = new byte[40];
        damaged[0] = 2;
        assertThatThrownBy(() -> new ActorSnapshot(ActorStates.writer(CALL, 1), ByteString.copyFrom(damaged)).pieces())
                .hasMessageContaining("the record is damaged, or a later release has written it");
    }
}
