/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedIdsTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void piecesAreAllIdsInTheirOrderAndPartNoBlockThatFitsIntoACall(long seed) {
        Random random = new Random(seed);
        List<FutureId> ids = new ArrayList<>();
        while (ids.size() < 20_000) {
            FutureId block = BlockIds.of(new UUID(random.nextLong(), random.nextLong()));
            int futures = random.nextInt(1 + BlockIds.FUTURES_MAX);
            for (int number = 1; number <= futures; number++) {
                ids.add(BlockIds.future(block, number));
            }
            for (int single = random.nextInt(20); single > 0; single--) {
                ids.add(FutureId.ofRandom(random.nextLong(), random.nextLong()));
            }
        }

        List<List<FutureId>> pieces = RecordedIds.pieces(ids);

        assertThat(pieces).allMatch(piece -> !piece.isEmpty() && piece.size() <= 1_000);
        assertThat(pieces.stream().flatMap(List::stream)).containsExactlyElementsOf(ids);
        for (int i = 1; i < pieces.size(); i++) {
            assertThat(BlockIds.areTogether(
                            pieces.get(i - 1).getLast(), pieces.get(i).getFirst()))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1_000, 1_001, 3_000})
    void singlesFillTheirCalls(int count) {
        List<FutureId> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(FutureId.random());
        }
        assertThat(RecordedIds.pieces(ids)).hasSize((count + 999) / 1_000);
    }
}
