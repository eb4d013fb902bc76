/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.cluster.UpgradePolicy;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.world.World;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Operators that die, or that act on what they saw long ago, roll an edit through all the same, and take an image back
 * that can not be pulled or whose process ends again and again.
 */
class UpgradeFaultsTest {
    private static final int ROUNDS_MAX = 300;
    private static final int WORKERS = 2;
    private static final String FORMER = "ratchet/worker:0.1.0";
    private static final String IMAGE = "ratchet/worker:second";

    /** How workers are replaced, and how few of them may work meanwhile. */
    enum Way {
        SURGE_THEN_REMOVE(UpgradeStrategy.SURGE_THEN_REMOVE, 1, 0),
        REMOVE_FIRST(UpgradeStrategy.SURGE_THEN_REMOVE, 0, 1),
        REPLACE(UpgradeStrategy.REPLACE, 1, 0),
        ALL_AT_ONCE(UpgradeStrategy.ALL_AT_ONCE, 1, 0),
        IN_PLACE(UpgradeStrategy.IN_PLACE, 1, 0);

        private final UpgradeStrategy strategy;
        private final int surge;
        private final int unavailable;

        Way(UpgradeStrategy strategy, int surge, int unavailable) {
            this.strategy = strategy;
            this.surge = surge;
            this.unavailable = unavailable;
        }

        void set(UpgradePolicy policy) {
            policy.strategy = strategy;
            policy.maxSurge = surge;
            policy.maxUnavailable = unavailable;
        }

        /** New workers that work are proved before old ones leave, unless those leave first or are the same pods. */
        int working() {
            return this == SURGE_THEN_REMOVE ? WORKERS : 0;
        }
    }

    /** What becomes of the processes of the new image. */
    enum Image {
        GOOD,
        MISSING,
        BROKEN
    }

    private final World world = new World();

    @BeforeEach
    void twoWorkers() {
        world.edit(spec -> {
            spec.upgrade.gates.stableMillis = 2_000;
            spec.upgrade.gates.timeoutMillis = 30_000;
        });
        world.scale(WORKERS);
        world.settle();
    }

    static Stream<Arguments> deaths() {
        return Stream.of(Way.values()).flatMap(way -> Stream.of(Image.values())
                .flatMap(image -> IntStream.of(0, 1, 2, 3).mapToObj(writes -> Arguments.of(way, image, writes))));
    }

    @ParameterizedTest(name = "{0} {1} dies after {2} writes")
    @MethodSource("deaths")
    void anOperatorThatDiesAfterEachWriteGoesOnFromTheNewestLayout(Way way, Image image, int writes) {
        edit(way, image);
        for (int round = 0; round < ROUNDS_MAX && !isOver(image); round++) {
            world.reconcileInterrupted(writes);
            assertWorking(way, image);
            world.round();
        }
        assertOver(image);
    }

    @ParameterizedTest
    @EnumSource
    void anOperatorThatActsOnWhatItSawAWhileAgoDoesNoHarm(Way way) {
        for (Image image : List.of(Image.MISSING, Image.GOOD)) {
            edit(way, image);
            ReconcilePlan stale = world.plan();
            for (int round = 0; round < ROUNDS_MAX && !isOver(image); round++) {
                if (round % 5 == 0) {
                    world.carryOut(stale);
                    stale = world.plan();
                }
                assertWorking(way, image);
                world.round();
            }
            assertOver(image);
        }
    }

    private void edit(Way way, Image image) {
        String name = name(image);
        if (image == Image.MISSING) {
            world.missingImages.add(name);
        } else if (image == Image.BROKEN) {
            world.brokenImages.add(name);
        }
        world.edit(spec -> {
            way.set(spec.upgrade);
            spec.image = name;
        });
    }

    private static String name(Image image) {
        return image == Image.GOOD ? IMAGE : "ratchet/worker:" + image.name().toLowerCase(Locale.ROOT);
    }

    private void assertWorking(Way way, Image image) {
        if (image != Image.BROKEN) {
            assertThat(working()).isGreaterThanOrEqualTo(way.working());
        }
    }

    private void assertOver(Image image) {
        assertThat(isOver(image))
                .as("the end; blocked %s, images %s, in force %s", blocked(), images(), world.coordinator.layout())
                .isTrue();
    }

    private boolean isOver(Image image) {
        return images().size() == WORKERS
                && images().stream().allMatch((image == Image.GOOD ? IMAGE : FORMER)::equals)
                && world.workerPods().values().stream().allMatch(PodFacts::isReady)
                && world.workers().keySet().equals(world.coordinator.layout().seats())
                && (image == Image.GOOD || blocked().equals("True RolledBack"));
    }

    private List<String> images() {
        return world.workerPods().values().stream()
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .toList();
    }

    private String blocked() {
        return world.condition(ConditionType.UPGRADE_BLOCKED);
    }

    /** Workers in force whose process runs. */
    private long working() {
        return world.coordinator.layout().seats().stream()
                .filter(seat -> world.pods().containsKey(seat))
                .filter(seat -> PodFacts.isReady(world.pods().get(seat)))
                .count();
    }
}
