/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each way to make an id has a UUID version of its own, so that no two of them ever meet. */
class FutureIdTest {

    @Test
    void idsOfRandomBitsAreRandomUuidsThatKeepAllOtherBits() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            long high = random.nextLong();
            long low = random.nextLong();

            UUID id = FutureId.ofRandom(high, low).value();

            assertThat(id.version()).isEqualTo(4);
            assertThat(id.variant()).isEqualTo(2);
            assertThat(id.getMostSignificantBits() & ~0xf000L).isEqualTo(high & ~0xf000L);
            assertThat(id.getLeastSignificantBits() << 2).isEqualTo(low << 2);
        }
    }

    @Test
    void idsOfOneKindAreNeverThoseOfAnother() {
        FutureId random = FutureId.random();
        FutureId ofRandom = FutureId.ofRandom(-1, -1);
        FutureId ofKey = FutureId.ofKey("team", "order-1");
        FutureId block = BlockIds.of(UUID.randomUUID());

        assertThat(Stream.of(random, ofRandom, ofKey, block)
                        .map(id -> id.value().version())
                        .toList())
                .isEqualTo(List.of(4, 4, 5, 8));
        assertThat(List.of(random, ofRandom, ofKey)).noneMatch(id -> BlockIds.isBlock(id) || BlockIds.isInBlock(id));
        assertThat(BlockIds.isBlock(block)).isTrue();
        assertThat(BlockIds.isInBlock(BlockIds.future(block, 1))).isTrue();
    }

    @Test
    void theIdOfAKeyIsTheSameEverywhereAndTellsTenantsApart() {
        assertThat(FutureId.ofKey("team", "order-1")).isEqualTo(FutureId.ofKey("team", "order-1"));
        assertThat(FutureId.ofKey("team", "order-1")).isNotEqualTo(FutureId.ofKey("teamo", "rder-1"));
    }

    @Test
    void whatIsPrintedIsReadAgainAndNothingElseIs() {
        FutureId id = FutureId.random();

        assertThat(FutureId.parse(id.toString())).isEqualTo(id);
        for (String wrong : List.of("", "1-1-1-1-1", id + "0", "order-1")) {
            assertThatThrownBy(() -> FutureId.parse(wrong)).isInstanceOf(InvalidInputException.class);
        }
    }
}
