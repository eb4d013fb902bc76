/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.seat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.environment.TransitionTable.Row;
import dev.ratchet.membership.seat.SeatLife.Event;
import dev.ratchet.membership.seat.SeatLife.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SeatLifeTest {

    /** Every step there is but LOSE, so that a change of the table has to be written down twice. */
    private static final Set<String> STEPS = Set.of(
            "WAITING BLOCK BLOCKED",
            "WAITING TAKE NEW",
            "WAITING END ENDED",
            "BLOCKED TAKE NEW",
            "BLOCKED END ENDED",
            "NEW SETTLE SERVING",
            "NEW END ENDING",
            "SERVING DRAIN DRAINING",
            "SERVING EMPTY DRAINED",
            "SERVING END ENDING",
            "DRAINING EMPTY DRAINED",
            "DRAINING RESUME SERVING",
            "DRAINING END ENDING",
            "DRAINED DRAIN DRAINING",
            "DRAINED RESUME SERVING",
            "DRAINED END ENDING",
            "ENDING FREE ENDED");

    @Test
    void everyPairOfPhaseAndEventIsAStepOrChangesNothing() {
        Set<String> found = new TreeSet<>();
        waysToEachPhase().forEach((phase, way) -> {
            for (Event event : Event.values()) {
                SeatLife life = lived(way);
                assertThat(life.phase()).isEqualTo(phase);
                if (life.on(event)) {
                    if (event == Event.LOSE) {
                        assertThat(life.phase()).as("lost while %s", phase).isEqualTo(Phase.ENDED);
                    } else {
                        found.add(phase + " " + event + " " + life.phase());
                    }
                } else {
                    assertThat(life.phase()).as("%s while %s", event, phase).isEqualTo(phase);
                }
            }
        });
        assertThat(found).containsExactlyInAnyOrderElementsOf(STEPS);
    }

    @Test
    void everyPhaseCanBeReachedAndEachButTheLastCanLoseTheSeat() {
        Map<Phase, List<Event>> ways = waysToEachPhase();
        assertThat(ways).containsOnlyKeys(Phase.values());
        ways.forEach((phase, way) ->
                assertThat(lived(way).on(Event.LOSE)).as("lost while %s", phase).isEqualTo(phase != Phase.ENDED));
    }

    @Test
    void theDiagramInTheDocumentIsTheTable() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/membership.md")))
                .as("replace the diagram in docs/membership.md by the one of SeatLife.diagram()")
                .contains("```mermaid\n" + SeatLife.diagram() + "```");
    }

    private static SeatLife lived(List<Event> way) {
        SeatLife life = new SeatLife();
        way.forEach(event -> assertThat(life.on(event)).isTrue());
        return life;
    }

    private static Map<Phase, List<Event>> waysToEachPhase() {
        Map<Phase, List<Event>> ways = new EnumMap<>(Map.of(Phase.WAITING, List.of()));
        Queue<Phase> open = new ArrayDeque<>(List.of(Phase.WAITING));
        while (!open.isEmpty()) {
            Phase phase = open.remove();
            for (Row<Phase, Event> row : SeatLife.transitions()) {
                if (row.from() == phase && !ways.containsKey(row.to())) {
                    List<Event> way = new ArrayList<>(ways.getOrDefault(phase, List.of()));
                    way.add(row.event());
                    ways.put(row.to(), way);
                    open.add(row.to());
                }
            }
        }
        return ways;
    }
}
