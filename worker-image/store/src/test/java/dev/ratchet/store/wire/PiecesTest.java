/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.store.v1.Open;
import dev.ratchet.protocol.store.v1.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PiecesTest {

    @Test
    void aSmallMessageIsNotCut() {
        assertThat(Pieces.cut(Piece.getDefaultInstance(), piece -> {
                    throw new AssertionError();
                }))
                .isFalse();
    }

    @Test
    void piecesOfTwoMessagesMixedGiveBoth() throws Exception {
        Piece first = random(3_500_000, 1);
        Piece second = random(2_000_001, 2);
        List<Piece> firstPieces = new ArrayList<>();
        List<Piece> secondPieces = new ArrayList<>();
        assertThat(Pieces.cut(first, firstPieces::add)).isTrue();
        assertThat(Pieces.cut(second, secondPieces::add)).isTrue();
        Pieces pieces = new Pieces();
        assertThat(pieces.add(1, firstPieces.get(0))).isNull();
        assertThat(pieces.add(2, secondPieces.get(0))).isNull();
        assertThat(Piece.parseFrom(pieces.add(2, secondPieces.get(1)))).isEqualTo(second);
        for (int i = 1; i < firstPieces.size() - 1; i++) {
            assertThat(pieces.add(1, firstPieces.get(i))).isNull();
        }
        assertThat(Piece.parseFrom(pieces.add(1, firstPieces.get(firstPieces.size() - 1))))
                .isEqualTo(first);
    }

    @Test
    void aMessageWithoutEndIsRefused() {
        Pieces pieces = new Pieces();
        Piece large = random(1 << 20, 3);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 20; i++) {
                        pieces.add(1, large);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limit");
        Pieces many = new Pieces();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        many.add(i, large);
                    }
                })
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void versionsThatShareNoneAreRefusedNamingBoth() {
        Open same = Open.newBuilder().setProtocol(1).setOldestProtocol(1).build();
        Open newer = Open.newBuilder().setProtocol(2).setOldestProtocol(1).build();
        Open tooNew = Open.newBuilder()
                .setProtocol(3)
                .setOldestProtocol(2)
                .setRelease("9.0.0")
                .build();
        assertThat(StoreProtocol.common(same)).hasValue(1);
        assertThat(StoreProtocol.common(newer)).hasValue(1);
        assertThat(StoreProtocol.common(tooNew)).isEmpty();
        assertThat(StoreProtocol.common(Open.getDefaultInstance())).isEmpty();
        assertThat(StoreProtocol.refusal(tooNew)).contains("2 to 3", "9.0.0", "1 to 1");
    }

    private static Piece random(int bytes, long seed) {
        byte[] array = new byte[bytes];
        new Random(seed).nextBytes(array);
        return Piece.newBuilder().setBytes(ByteString.copyFrom(array)).build();
    }
}
