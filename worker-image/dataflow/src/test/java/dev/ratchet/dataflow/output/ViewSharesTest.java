/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.dataflow.ShareListener;
import dev.ratchet.dataflow.share.TestRows;
import dev.ratchet.dataflow.share.TextShareListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a process keeps of the changes of views. */
class ViewSharesTest {

    private final ViewShares shares = new ViewShares(() -> {});
    private final List<String> told = new ArrayList<>();
    private final ShareListener listener = new TextShareListener(told::add);

    private void publish(long step, String... rows) {
        shares.publish(step, Map.of("s", TestRows.batch(rows)));
    }

    @Test
    void aStepThatDoesNotFollowTheLastIsAnErrorAndWhatIsThereStays() {
        shares.open(1, List.of("s"), Map.of());
        publish(5, "+a 1");
        publish(6, "+b 1");
        assertThatThrownBy(() -> publish(8, "+c 1"))
                .isInstanceOf(MissedStepException.class)
                .hasMessageContaining("view s in step 8 do not follow those of step 6");
        shares.follow("s", 4, listener);
        publish(7, "+c 1");
        assertThat(told).hasSize(3).allMatch(one -> one.startsWith("changes "));
    }

    @Test
    void whoKnowsStepsOfAnotherLifeOfTheCircuitIsRefused() {
        shares.open(2, List.of("s"), Map.of());
        publish(1, "+a 1");
        assertThatThrownBy(() -> shares.follow("s", 1, 0, listener))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The views are of life 2 of the circuit, not of life 1");
        shares.follow("s", 2, 0, listener);
        assertThat(told).hasSize(1);
    }

    @Test
    void aStepThatIsTakenAgainIsToldOnce() {
        shares.open(1, List.of("s"), Map.of());
        publish(5, "+a 1");
        shares.follow("s", 4, listener);
        publish(5, "+a 1");
        publish(6);
        assertThat(told).hasSize(2).last().isEqualTo("progress 6");
    }

    @Test
    void whereARunHasNothingToTakeAgainTheyBeginBehindItsStepForThoseWhoFollowAlready() {
        shares.open(1, List.of("s"), Map.of());
        shares.follow("s", 58, listener);
        List<String> waiting = new ArrayList<>();
        shares.follow("s", 61, new TextShareListener(waiting::add));
        shares.begin(61);
        assertThat(told).containsExactly("expired 61");
        assertThat(waiting).isEmpty();
        publish(62);
        assertThat(waiting).containsExactly("progress 62");
        assertThat(told).hasSize(1);
    }

    @Test
    void whereARunHasNothingToTakeAgainTheyBeginBehindItsStepForThoseWhoFollowLater() {
        shares.open(1, List.of("s"), Map.of());
        shares.begin(61);
        shares.follow("s", 58, listener);
        assertThat(told).containsExactly("expired 61");
        List<String> next = new ArrayList<>();
        shares.follow("s", 61, new TextShareListener(next::add));
        assertThat(next).isEmpty();
        publish(62);
        assertThat(next).containsExactly("progress 62");
    }

    @Test
    void aRunThatTakesStepsAgainLeavesWhatIsKeptAsItIs() {
        shares.open(1, List.of("s"), Map.of());
        publish(5, "+a 1");
        publish(6);
        shares.begin(4);
        shares.follow("s", 4, listener);
        assertThat(told).hasSize(2).last().isEqualTo("progress 6");
    }
}
