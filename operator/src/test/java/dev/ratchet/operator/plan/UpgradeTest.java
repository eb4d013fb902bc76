/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ComputeLayout;
import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.crds.layout.LayoutReason;
import dev.ratchet.crds.layout.UpgradeProgress;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit of a field of class Upgrade rolls through a living cluster, one layout after the other. */
class UpgradeTest {
    private static final int ROUNDS_MAX = 600;
    private static final int WORKERS = 3;

    private final World world = new World();
    private String first = "";

    @BeforeEach
    void threeWorkers() {
        world.edit(spec -> spec.upgrade.gates.stableMillis = 2_000);
        world.scale(WORKERS);
        world.settle();
        first = world.writeStatus().currentRevision;
    }

    @Test
    void anotherImageRollsThroughAllWorkersAndNeverMoreThanOneIsAboveTheNumber() {
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.workerPods().size()).isBetween(WORKERS, WORKERS + 1);
            assertThat(working()).isGreaterThanOrEqualTo(WORKERS);
            return isOver();
        });
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(world.writeStatus().currentRevision)
                .isEqualTo(world.writeStatus().updateRevision)
                .isNotEqualTo(first);
        assertThat(world.writeStatus().updatedReplicas).isEqualTo(WORKERS);
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("False NoUpgrade");
        assertThat(world.coordinator.layout().seats()).isEqualTo(world.workers().keySet());
        assertThat(upgradeLayouts())
                .extracting(layout -> layout.getSpec().upgrade)
                .extracting(progress -> progress.step + "/" + progress.steps)
                .containsExactly("1/6", "2/6", "3/6", "4/6", "5/6", "6/6");
        assertThat(world.plan().actions()).isEmpty();
    }

    @Test
    void seatsThatAreReplacedLaterAreToldUntilNoneIsLeft() {
        assertThat(world.plan().commands().outgoing()).isEmpty();
        edit("ratchet/worker:second");
        until(
                "a new worker is in force",
                () -> world.coordinator.layout().seats().size() > WORKERS);
        assertThat(world.plan().commands().outgoing()).hasSize(WORKERS);
        until("the upgrade is over", () -> {
            if (!isOver()) {
                Set<String> inForce = world.coordinator.layout().seats();
                assertThat(world.plan().commands().outgoing())
                        .isSubsetOf(inForce)
                        .containsAll(seats(image -> !image.equals("ratchet/worker:second")).stream()
                                .filter(inForce::contains)
                                .toList())
                        .doesNotContainAnyElementsOf(seats("ratchet/worker:second"::equals));
            }
            return isOver();
        });
        assertThat(world.plan().commands().outgoing()).isEmpty();
    }

    @Test
    void eachLayoutTellsWhatItMovesAlsoAfterItsSeatsAreGone() {
        Map<String, Long> held = new TreeMap<>();
        for (String seat : world.workers().keySet()) {
            held.put(seat, 2L + held.size());
            world.hold(seat, held.get(seat));
        }
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);

        assertThat(upgradeLayouts().stream()
                        .map(layout -> layout.getStatus().bytes)
                        .toList())
                .allSatisfy(bytes ->
                        assertThat(bytes.moved).isEqualTo(bytes.lowerBound).isEqualTo(bytes.wanted))
                .extracting(bytes -> bytes.moved)
                .contains(0L)
                .containsAll(held.values());
        assertThat(world.writeStatus().layout.bytesMoved)
                .isEqualTo(upgradeLayouts().getLast().getStatus().bytes.moved);
    }

    @Test
    void whatSeveralSeatsMoveForOneLayoutIsTold() {
        world.workers().keySet().forEach(seat -> world.hold(seat, 3));
        world.edit(spec -> spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE);
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);

        assertThat(upgradeLayouts()).singleElement().satisfies(layout -> assertThat(layout.getStatus().bytes.moved)
                .isEqualTo(3L * WORKERS));
    }

    private Set<String> seats(Predicate<String> ofImage) {
        return world.workerPods().values().stream()
                .filter(pod -> ofImage.test(pod.getSpec().getContainers().get(0).getImage()))
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    @Test
    void inPlaceNoSeatIsReplaced() {
        world.edit(spec -> spec.upgrade.strategy = UpgradeStrategy.IN_PLACE);
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.plan().commands().outgoing()).isEmpty();
            return isOver();
        });
    }

    @Test
    void aVersionAndTheNumberOfThreadsRollAsWell() {
        world.edit(spec -> {
            spec.version = "0.0.9";
            spec.workers.threads = 4;
        });
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.0.9");
    }

    @Test
    void aWorkerThatComesMustHaveTakenItsSeatBeforeTheLayoutWithItIsInForce() {
        edit("ratchet/worker:second");
        world.imagesPull = false;
        rounds(10);
        assertThat(world.workerPods()).hasSize(WORKERS + 1);
        assertThat(world.coordinator.layout().seats()).hasSize(WORKERS);
        assertThat(world.condition(ConditionType.UPGRADE_BLOCKED)).isEqualTo("True PodsCanNotStart");
        assertThat(world.condition(ConditionType.READY)).isEqualTo("True AllWorkersReady");
        world.imagesPull = true;
        until("the upgrade is over", this::isOver);
    }

    @Test
    void theNextWorkerWaitsUntilTheOneBeforeHasWorkedForLongEnough() {
        world.edit(spec -> spec.upgrade.gates.stableMillis = 10_000);
        edit("ratchet/worker:second");
        until(
                "the new worker is in force",
                () -> world.coordinator.layout().seats().size() > WORKERS);
        rounds(6);
        assertThat(world.coordinator.layout().seats()).hasSize(WORKERS + 1);
        rounds(10);
        assertThat(world.coordinator.layout().seats()).hasSize(WORKERS);
    }

    @Test
    void anImageThatCanNotBePulledIsTakenBackAndLeftAlone() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> spec.upgrade.gates.timeoutMillis = 30_000);
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        rounds(30);
        assertOldOnes("ratchet/worker:0.1.0");
        assertThat(world.workers()).hasSize(WORKERS);
        assertThat(newestProgress().attempt).isEqualTo(1);
        assertThat(message())
                .contains(Names.RETRY_UPGRADE_ANNOTATION)
                .contains("for longer than spec.upgrade.gates.timeoutMillis");
        assertThat(world.layouts().values())
                .anyMatch(layout -> layout.getStatus().abort != null
                        && layout.getStatus().abort.reason.equals("UpgradeGateFailed"));
    }

    @Test
    void anImageWhoseProcessEndsAgainAndAgainIsTakenBackByAFurtherLayout() {
        edit("ratchet/worker:crashing");
        until(
                "the new worker is in force",
                () -> world.coordinator.layout().seats().size() > WORKERS);
        world.brokenImages.add("ratchet/worker:crashing");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertOldOnes("ratchet/worker:0.1.0");
        assertThat(world.coordinator.layout().seats()).isEqualTo(world.workers().keySet());
    }

    @Test
    void restartsOfOldWorkersFromBeforeTheUpgradeDoNotKeepTheWayBackFromItsEnd() {
        restartAll();
        edit("ratchet/worker:crashing");
        until(
                "the new worker is in force",
                () -> world.coordinator.layout().seats().size() > WORKERS);
        world.brokenImages.add("ratchet/worker:crashing");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertOldOnes("ratchet/worker:0.1.0");
    }

    @Test
    void restartsOfOldWorkersDoNotStopAWayBackOfSeveralSteps() {
        restartAll();
        edit("ratchet/worker:crashing");
        until("two new workers are in force", () -> {
            Set<String> fresh = seats("ratchet/worker:crashing"::equals);
            return fresh.size() == 2 && world.coordinator.layout().seats().containsAll(fresh);
        });
        world.brokenImages.add("ratchet/worker:crashing");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertOldOnes("ratchet/worker:0.1.0");
    }

    @Test
    void restartsOfOldWorkersDoNotKeepAnEditFromBeingTakenBackInTheMiddle() {
        restartAll();
        edit("ratchet/worker:second");
        until(
                "the new worker is in force",
                () -> world.coordinator.layout().seats().size() > WORKERS);
        edit("");
        until("the upgrade is over", this::isOver);
        assertOldOnes("ratchet/worker:0.1.0");
        assertThat(blocked()).isEqualTo("False NoUpgrade");
    }

    /** The processes of all workers end once and are started again, long before an edit. */
    private void restartAll() {
        world.workerPods().values().forEach(world::crash);
    }

    @Test
    void aFirstProcessThatWaitedForTheStoreInVainIsNoFaultOfItsRevision() {
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            world.workerPods().values().stream()
                    .filter(pod ->
                            pod.getSpec().getContainers().get(0).getImage().endsWith(":second"))
                    .filter(pod -> PodFacts.isReady(pod) && PodFacts.restarts(pod, Names.WORKER_CONTAINER) == 0)
                    .forEach(pod -> world.crash(pod, 6));
            return isOver();
        });
        assertThat(images()).containsOnly("ratchet/worker:second");
    }

    @Test
    void afterAFailureTheAnnotationTriesTheRevisionOnceMore() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> spec.upgrade.gates.timeoutMillis = 30_000);
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        world.missingImages.clear();
        annotate(Names.RETRY_UPGRADE_ANNOTATION, world.writeStatus().updateRevision);
        until("the second attempt is over", () -> isOver() && blocked().startsWith("False"));
        assertThat(images()).containsOnly("ratchet/worker:bad");
    }

    @Test
    void aSecondAttemptIsMadeByItselfWhereTheSpecAllowsTwo() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> {
            spec.upgrade.gates.timeoutMillis = 30_000;
            spec.upgrade.rollback.maxAttempts = 2;
        });
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        assertThat(newestProgress().attempt).isEqualTo(2);
    }

    @Test
    void withoutRollbackAFailedGateStopsTheWalkWhereItIs() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> {
            spec.upgrade.gates.timeoutMillis = 30_000;
            spec.upgrade.rollback.onFailure = false;
        });
        edit("ratchet/worker:bad");
        rounds(35);
        assertThat(world.workerPods()).hasSize(WORKERS + 1);
        assertThat(blocked()).isEqualTo("True UpgradeGateFailed");
        assertThat(message()).contains(Names.RETRY_UPGRADE_ANNOTATION).contains("can not be pulled");
    }

    @Test
    void aNewerEditTurnsAWalkThatIsStuck() {
        world.missingImages.add("ratchet/worker:bad");
        edit("ratchet/worker:bad");
        rounds(5);
        edit("ratchet/worker:third");
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:third");
    }

    @Test
    void anEditInTheMiddleTurnsTheWalkAndTakingItBackWalksBack() {
        edit("ratchet/worker:second");
        until("one is updated", () -> world.writeStatus().updatedReplicas >= 1 && working() > WORKERS);
        edit("ratchet/worker:third");
        rounds(15);
        edit("");
        until("the upgrade is over", this::isOver);
        assertOldOnes("ratchet/worker:0.1.0");
        assertThat(world.writeStatus().currentRevision).isEqualTo(first);
    }

    @Test
    void suspendedItStopsBetweenStepsAndAnApprovalLetsExactlyOneThrough() {
        world.edit(spec -> spec.upgrade.suspended = true);
        edit("ratchet/worker:second");
        rounds(20);
        assertThat(world.workerPods()).hasSize(WORKERS);
        assertThat(blocked()).isEqualTo("True UpgradeSuspended");
        assertThat(message()).contains("approve-step: \"2\"");
        annotate(Names.APPROVE_STEP_ANNOTATION, "2");
        rounds(40);
        assertThat(world.coordinator.layout().epoch()).isEqualTo(2);
        assertThat(message()).contains("approve-step: \"3\"");
        world.edit(spec -> spec.upgrade.suspended = false);
        until("the upgrade is over", this::isOver);
    }

    @Test
    void withoutRoomForOneMoreItSaysWhatHelpsAndRemovesFirstWhereOneMayBeMissing() {
        world.room = WORKERS;
        edit("ratchet/worker:second");
        rounds(65);
        assertThat(blocked()).isEqualTo("True InsufficientCapacity");
        assertThat(message()).contains("add a node").contains("maxUnavailable");
        assertOld(WORKERS);
        world.edit(spec -> spec.upgrade.maxUnavailable = 1);
        until("the upgrade is over", () -> {
            assertThat(working()).isGreaterThanOrEqualTo(WORKERS - 1);
            return isOver();
        });
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 1", "0 2", "1 1", "2 0", "5 0", "1 3"})
    void anyMaximaEndWithAllWorkersReplaced(String maxima) {
        int surge = Integer.parseInt(maxima.substring(0, 1));
        int unavailable = Integer.parseInt(maxima.substring(2));
        world.edit(spec -> {
            spec.upgrade.maxSurge = surge;
            spec.upgrade.maxUnavailable = unavailable;
        });
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.coordinator.layout().seats().size())
                    .isBetween(Math.max(0, WORKERS - unavailable), WORKERS + surge);
            return isOver();
        });
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
    }

    @Test
    void replaceGivesThePlaceOfAnOldWorkerToANewOneInOneLayout() {
        world.edit(spec -> spec.upgrade.strategy = UpgradeStrategy.REPLACE);
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.coordinator.layout().seats()).hasSize(WORKERS);
            assertThat(world.workerPods().size()).isBetween(WORKERS, WORKERS + 1);
            return isOver();
        });
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(newestProgress().step).isEqualTo(WORKERS);
        assertThat(newestProgress().steps).isEqualTo(WORKERS);
    }

    @Test
    void allAtOnceTakesOneLayoutAndIsTakenBackByOneWhereItFails() {
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE;
            spec.upgrade.maxSurge = 0;
        });
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(upgradeLayouts()).hasSize(1);
        long epoch = world.coordinator.layout().epoch();
        edit("ratchet/worker:crashing");
        until("the new workers are in force", () -> world.coordinator.layout().epoch() > epoch);
        world.brokenImages.add("ratchet/worker:crashing");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(upgradeLayouts()).hasSize(3);
    }

    @Test
    void allAtOnceWithoutRoomSaysWhatHelps() {
        world.room = WORKERS + 1;
        world.edit(spec -> spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE);
        edit("ratchet/worker:second");
        rounds(70);
        assertThat(blocked()).isEqualTo("True InsufficientCapacity");
        assertThat(message()).contains("SurgeThenRemove", "InPlace");
        world.edit(spec -> spec.upgrade.strategy = UpgradeStrategy.SURGE_THEN_REMOVE);
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
    }

    @Test
    void whereNoLivingPodCanTakeTheChangeInPlaceIsNoWayOutOfTooLittleRoom() {
        world.room = WORKERS + 1;
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.ALL_AT_ONCE;
            spec.workers.threads = 4;
        });
        rounds(70);
        assertThat(blocked()).isEqualTo("True InsufficientCapacity");
        assertThat(message()).contains("SurgeThenRemove").doesNotContain("InPlace");
    }

    @Test
    void aPodThatIsLostMeanwhileComesBackAsTheRevisionOfItsSeat() {
        edit("ratchet/worker:second");
        until("one is updated", () -> working() > WORKERS);
        Map<String, Pod> before = world.workerPods();
        before.keySet().forEach(world::lose);
        rounds(5);
        before.forEach((seat, pod) -> assertThat(PodFacts.revision(world.pods().get(seat)))
                .as("revision of %s", seat)
                .isEqualTo(PodFacts.revision(pod)));
        until("the upgrade is over", this::isOver);
    }

    @Test
    void theNumberOfWorkersFollowsTheSpecDuringAWalk() {
        edit("ratchet/worker:second");
        until("one is updated", () -> working() > WORKERS);
        world.scale(5);
        rounds(30);
        world.scale(2);
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(2).containsOnly("ratchet/worker:second");
    }

    @Test
    void scalingAfterARollbackMakesWorkersOfTheRevisionThatWorksAndRemembersTheAttempt() {
        world.missingImages.add("ratchet/worker:bad");
        world.edit(spec -> spec.upgrade.gates.timeoutMillis = 30_000);
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> blocked().equals("True RolledBack"));
        world.scale(5);
        rounds(35);
        assertThat(images()).hasSize(5).containsOnly("ratchet/worker:0.1.0");
        assertThat(blocked()).isEqualTo("True RolledBack");
    }

    private void edit(String image) {
        world.edit(spec -> spec.image = image);
    }

    private void annotate(String name, String value) {
        world.cluster.getMetadata().setAnnotations(Map.of(name, value));
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            world.round();
        }
    }

    private void until(String what, BooleanSupplier reached) {
        for (int i = 0; i < ROUNDS_MAX; i++) {
            world.round();
            if (reached.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError(
                "waited for: " + what + "; upgrade " + world.plan().layout().upgrade() + "; images " + images());
    }

    private boolean isOver() {
        LayoutDecision layout = world.plan().layout();
        return !layout.upgrade().isUnderWay()
                && layout.create().isEmpty()
                && layout.proposal().isEmpty()
                && world.workers().keySet().equals(world.coordinator.layout().seats())
                && world.workerPods().values().stream().allMatch(PodFacts::isReady);
    }

    /** Workers in force whose process runs. */
    private long working() {
        return world.coordinator.layout().seats().stream()
                .filter(seat -> world.pods().containsKey(seat))
                .filter(seat -> PodFacts.isReady(world.pods().get(seat)))
                .count();
    }

    private void assertOldOnes(String image) {
        assertThat(images()).hasSize(WORKERS).containsOnly(image);
    }

    private void assertOld(int count) {
        assertThat(images())
                .filteredOn(image -> image.equals("ratchet/worker:0.1.0"))
                .hasSize(count);
    }

    private List<String> images() {
        return world.workerPods().values().stream()
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .toList();
    }

    private String blocked() {
        return world.condition(ConditionType.UPGRADE_BLOCKED);
    }

    private String message() {
        return Conditions.find(world.writeStatus().conditions, ConditionType.UPGRADE_BLOCKED)
                .orElseThrow()
                .getMessage();
    }

    private List<ComputeLayout> upgradeLayouts() {
        return world.layouts().values().stream()
                .filter(layout -> layout.getSpec().reason == LayoutReason.UPGRADE)
                .sorted(Comparator.comparing(layout -> layout.getSpec().epoch))
                .toList();
    }

    private UpgradeProgress newestProgress() {
        List<ComputeLayout> all = upgradeLayouts();
        return all.get(all.size() - 1).getSpec().upgrade;
    }
}
