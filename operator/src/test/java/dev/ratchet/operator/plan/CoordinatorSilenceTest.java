/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.operator.observe.CoordinatorSilence;
import dev.ratchet.operator.world.World;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A coordinator that is not heard for a moment is no news; one that stays silent is. */
class CoordinatorSilenceTest {

    private final World world = new World();

    @BeforeEach
    void cluster() {
        world.settle();
        assertThat(degraded()).isEqualTo("False Stable");
        world.coordinatorHeard = false;
        world.reconcile();
    }

    private String degraded() {
        return world.condition(ConditionType.DEGRADED);
    }

    @Test
    void aMomentOfSilenceIsNotTold() {
        assertThat(degraded()).isEqualTo("False Stable");
        assertThat(world.plan().wakeAt()).hasValueSatisfying(at -> assertThat(at)
                .isBeforeOrEqualTo(world.snapshot().now().plus(CoordinatorSilence.TOLD_AFTER)));
    }

    @Test
    void aSilenceThatLastsIsToldUntilTheCoordinatorIsHeard() {
        world.pass(CoordinatorSilence.TOLD_AFTER);
        assertThat(degraded()).isEqualTo("True CoordinatorUnreachable");
        world.coordinatorHeard = true;
        assertThat(degraded()).isEqualTo("False Stable");
    }

    @Test
    void eachSilenceIsCountedByItself() {
        world.pass(CoordinatorSilence.TOLD_AFTER.minus(Duration.ofSeconds(1)));
        world.coordinatorHeard = true;
        world.reconcile();
        world.coordinatorHeard = false;
        world.pass(Duration.ofSeconds(2));
        assertThat(degraded()).isEqualTo("False Stable");
    }
}
