/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.cluster.DeletionPolicy;
import dev.ratchet.operator.world.World;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod was told to end, and its node is not heard of, so nobody says that it has ended. */
class LostNodesTest {
    private static final String LOST = "orders-w-1";

    private final World world = new World();
    private String uid = "";

    @BeforeEach
    void twoWorkers() {
        world.scale(2);
        world.settle();
        uid = uid();
    }

    @Test
    void aSeatWhoseLeaseIsOverIsFilledAgain() {
        world.loseNode(LOST);
        world.coordinator.end(LOST);
        passTheTimeToEnd();
        world.settle();
        assertThat(uid()).isNotEqualTo(uid);
        assertThat(world.coordinator.layout().seats()).contains(LOST);
    }

    @Test
    void aProcessThatStillHasItsSeatIsLeftAlone() {
        world.loseNode(LOST);
        passTheTimeToEnd();
        world.settle();
        assertThat(uid()).isEqualTo(uid);
    }

    @Test
    void nothingIsForcedWhileNobodyCanSayWhoHasTheSeat() {
        world.loseNode(LOST);
        world.coordinator.end(LOST);
        world.coordinatorHeard = false;
        passTheTimeToEnd();
        world.settle();
        assertThat(uid()).isEqualTo(uid);
    }

    @Test
    void nothingIsForcedBeforeTheTimeIsOverThatThePodWasGiven() {
        world.loseNode(LOST);
        world.coordinator.end(LOST);
        world.settle();
        assertThat(uid()).isEqualTo(uid);
        assertThat(world.plan().wakeAt()).isPresent();
    }

    @Test
    void nothingIsForcedOnANodeThatIsThere() {
        world.loseNode(LOST);
        world.coordinator.end(LOST);
        passTheTimeToEnd();
        world.lostNodes.clear();
        assertThat(world.plan().actions()).noneMatch(action -> action instanceof Action.Delete);
    }

    @Test
    void aLeavingWorkerThatIsProvedToHoldNothingIsNotWaitedFor() {
        world.hold(LOST, 0);
        world.hold("orders-w-0", 9);
        world.loseNode(LOST);
        world.coordinator.end(LOST);
        world.coordinator.markTheDeadAsDrained();
        world.scale(1);
        passTheTimeToEnd();
        world.settle();
        assertThat(world.workers()).containsOnlyKeys("orders-w-0");
        assertThat(world.pods()).doesNotContainKey(LOST);
    }

    @Test
    void aClusterWhoseDataGoDoesNotWaitForALostNode() {
        world.loseNode(LOST);
        passTheTimeToEnd();
        world.delete();
        end();
        assertThat(world.clean().done()).isTrue();
    }

    @Test
    void aClusterWhoseDataStayWaitsForALostNode() {
        world.edit(spec -> spec.deletionPolicy = DeletionPolicy.RETAIN);
        world.loseNode(LOST);
        passTheTimeToEnd();
        world.delete();
        end();
        assertThat(world.clean().done()).isFalse();
    }

    private void end() {
        for (int i = 0; i < 10; i++) {
            world.clean();
            world.kubelet();
            world.pass(Duration.ofSeconds(1));
        }
    }

    private void passTheTimeToEnd() {
        world.pass(Duration.ofMillis(world.cluster.getSpec().workers.drainTimeoutMillis)
                .plus(Duration.ofMinutes(2)));
    }

    private String uid() {
        return world.pods().get(LOST).getMetadata().getUid();
    }
}
