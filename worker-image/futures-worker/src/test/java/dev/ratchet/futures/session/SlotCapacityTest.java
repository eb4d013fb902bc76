/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.membership.SlotFigures;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a worker tells others of its slots. */
class SlotCapacityTest {

    @Test
    void aNameThatWasTakenAwayIsToldWithNoSlotsWhileASessionHoldsOne() {
        assertThat(figures(Map.of("disk", 2), Map.of("gpu", 1)))
                .containsEntry("gpu", new SlotFigures.Figure(0, 1, 0))
                .containsEntry("disk", new SlotFigures.Figure(2, 0, 0));
        assertThat(figures(Map.of("disk", 2), Map.of())).containsOnlyKeys("disk");
    }

    @Test
    void aNameThatTheWorkerDoesNotHaveIsToldWhileSessionsWaitForIt() {
        assertThat(figures(Map.of("disk", 2), Map.of(), Map.of("gpu", 3, "disk", 1)))
                .isEqualTo(Map.of(
                        "gpu", new SlotFigures.Figure(0, 0, 3),
                        "disk", new SlotFigures.Figure(2, 0, 1)));
    }

    @Test
    void howManyNamesSessionsMakeUpIsLimited() {
        Map<String, Integer> waiting = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            waiting.put("name-" + i, 1);
        }
        assertThat(figures(Map.of("disk", 2), Map.of(), waiting)).hasSize(1 + SlotCapacity.NAMES_MAX);
    }

    private static Map<String, SlotFigures.Figure> figures(Map<String, Integer> counts, Map<String, Integer> held) {
        return figures(counts, held, Map.of());
    }

    private static Map<String, SlotFigures.Figure> figures(
            Map<String, Integer> counts, Map<String, Integer> held, Map<String, Integer> waiting) {
        Map<String, SlotFigures.Figure> figures = new TreeMap<>();
        SlotFigures.each(SlotCapacity.published(counts, held, waiting), figures::put);
        return figures;
    }
}
