/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.futures.queue.WorkQueue.Slice;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.membership.ToldLiveness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthyShareTest {

    @Test
    void partsAreAsLargeAsWhatIsFree() {
        List<Member> members = List.of(free("w-0", 2), free("w-1", 0), free("w-2", 1));
        assertThat(share("w-0", members).slice()).isEqualTo(new Slice(0, 2, 3));
        assertThat(share("w-1", members).slice()).isEqualTo(new Slice(2, 2, 3));
        assertThat(share("w-2", members).slice()).isEqualTo(new Slice(2, 3, 3));
        assertThat(share("w-2", members).healthyWorkers()).isEqualTo(3);
    }

    @Test
    void whereAllAreBusyForLongPartsAreEqual() {
        List<Member> members = List.of(free("w-1", 0), free("w-0", 0));
        assertThat(share("w-1", members).slice()).isEqualTo(new Slice(1, 2, 2));
    }

    @Test
    void whoDoesNotSayWhatIsFreeHasAllItsThreads() {
        List<Member> members = List.of(member("w-0", Map.of()), free("w-1", 1));
        assertThat(share("w-1", members).slice()).isEqualTo(new Slice(4, 5, 5));
    }

    @Test
    void theFirstDoesWhatOneDoesForAllThoughItIsBusy() {
        List<Member> members = List.of(free("w-0", 0), free("w-1", 2));
        assertThat(share("w-0", members).isFirst()).isTrue();
        assertThat(share("w-1", members).isFirst()).isFalse();
        assertThat(share("w-2", members).isFirst())
                .as("one that is not healthy")
                .isTrue();
    }

    @Test
    void whoIsDeadHasNoPartThoughNobodyHasRecordedItYet() {
        List<Member> members = List.of(free("w-0", 2), free("w-1", 2));
        HealthyShare share = new HealthyShare(new OpenSeat("w-1"), ToldLiveness.of(members, "w-0"::equals));
        assertThat(share.slice()).isEqualTo(new Slice(0, 2, 2));
        assertThat(share.isFirst()).isTrue();
        assertThat(share.healthyWorkers()).isEqualTo(1);
    }

    private static HealthyShare share(String seat, List<Member> members) {
        return new HealthyShare(new OpenSeat(seat), ToldLiveness.of(members, anyone -> false));
    }

    private static Member free(String seat, long slots) {
        return member(seat, Map.of(HealthyShare.FREE_SLOTS, slots));
    }

    private static Member member(String seat, Map<String, Long> free) {
        return HealthyMember.withFree(seat, 1, free);
    }
}
