/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.membership.HealthyMember;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.protocol.sessions.v1.SlotDemand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which workers are asked for sessions that come together. */
class SlotsChoiceTest {

    private static final SlotDemand GPU =
            SlotDemand.newBuilder().putSlots("gpu", 1).build();

    private final SystemEnvironment environment = new SystemEnvironment();
    private Set<String> outgoing = Set.of();

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void sessionsThatComeTogetherGoToOneWorkerAsLongAsTheyTakeASmallPartOfIt() {
        List<String> chosen = together(64, "", member("w-0", 160), member("w-1", 160));
        List<Integer> runs = new ArrayList<>();
        IntStream.range(0, chosen.size()).forEach(i -> {
            if (i % 10 == 0) {
                runs.add(i);
            } else {
                assertThat(chosen.get(i)).as("session " + i + " of " + chosen).isEqualTo(chosen.get(i - 1));
            }
        });
        assertThat(runs).hasSize(7);
    }

    @Test
    void workersWithFewSlotsShareThem() {
        List<String> chosen = together(200, "", member("w-0", 4), member("w-1", 4));
        assertThat(new HashSet<>(chosen.subList(0, 60))).containsExactlyInAnyOrder("w-0", "w-1");
    }

    @Test
    void aWorkerThatDoesNotAnswerIsPassedOverWhereOthersHaveSuchSlots() {
        assertThat(together(100, "w-0", member("w-0", 160), member("w-1", 1))).containsOnly("w-1");
        assertThat(together(2, "w-0", member("w-0", 160))).containsOnly("w-0");
    }

    @Test
    void aWorkerThatIsReplacedSoonIsPassedOverWhereOthersHaveSuchSlotsFree() {
        outgoing = Set.of("w-0");
        assertThat(together(100, "", member("w-0", 160), member("w-1", 1))).containsOnly("w-1");
        assertThat(together(100, "", member("w-0", 160), member("w-1", 0))).containsOnly("w-0");
    }

    @Test
    void nobodyIsAskedForWhatNobodyHas() {
        SlotsChoice choice = choice("", member("w-0", 5));
        assertThat(choice.new Together()
                        .choose(SlotDemand.newBuilder().putSlots("disk", 1).build()))
                .isEqualTo(Optional.empty());
    }

    private List<String> together(int sessions, String silent, Member... members) {
        SlotsChoice.Together together = choice(silent, members).new Together();
        return IntStream.range(0, sessions)
                .mapToObj(i -> together.choose(GPU).orElseThrow())
                .toList();
    }

    private SlotsChoice choice(String silent, Member... members) {
        return new SlotsChoice(new Listed(List.of(members), outgoing), environment, member -> member.seat()
                .equals(silent));
    }

    private static Member member(String seat, long free) {
        return HealthyMember.withFree(
                seat, 1, SlotCapacity.published(Map.of("gpu", Math.toIntExact(free)), Map.of(), Map.of()));
    }

    private record Listed(List<Member> latest, Set<String> outgoing) implements Liveness {
        @Override
        public boolean isDead(String seat, long incarnation) {
            return false;
        }

        @Override
        public void suspect(String seat, long incarnation) {}

        @Override
        public void addListener(DeathListener listener) {}
    }
}
