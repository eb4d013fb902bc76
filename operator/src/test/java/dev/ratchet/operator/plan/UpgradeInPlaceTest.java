/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.crds.ConditionType;
import dev.ratchet.crds.Names;
import dev.ratchet.crds.cluster.EmbeddedStoreSpec;
import dev.ratchet.crds.cluster.StorageSpec;
import dev.ratchet.crds.cluster.UpgradeStrategy;
import dev.ratchet.operator.observe.Commands;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.status.Conditions;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** InPlace gives living pods another image, one after the other: the pods stay, with their nodes and files. */
class UpgradeInPlaceTest {
    private static final int ROUNDS_MAX = 400;
    private static final int WORKERS = 3;

    private final World world = new World();
    private Map<String, String> before = Map.of();

    @BeforeEach
    void threeWorkers() {
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.IN_PLACE;
            spec.upgrade.maxSurge = 0;
            spec.upgrade.gates.stableMillis = 2_000;
            spec.upgrade.gates.timeoutMillis = 30_000;
        });
        start();
    }

    @Test
    void anotherImageGoesThroughTheLivingPodsOneAtATime() {
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.workerPods()).hasSize(WORKERS);
            assertThat(world.coordinator.layout().seats()).hasSize(WORKERS);
            assertThat(world.workerPods().values().stream().filter(PodFacts::isReady))
                    .as("workers that work")
                    .hasSizeGreaterThanOrEqualTo(WORKERS - 1);
            return isOver();
        });
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(uids()).isEqualTo(before);
        assertThat(world.writeStatus().updatedReplicas).isEqualTo(WORKERS);
        assertThat(reports()).allSatisfy(said -> assertThat(said.incarnation()).isEqualTo(2));
        assertThat(world.layouts()).hasSize(1 + WORKERS);
        assertThat(world.plan().actions()).isEmpty();
    }

    @Test
    void thatAnAnnotationNamesTheNewRevisionProvesNothing() {
        edit("ratchet/worker:second");
        world.reconcile();
        world.reconcile();
        assertThat(world.workerPods().values())
                .filteredOn(pod -> !PodFacts.revision(pod).equals(world.writeStatus().currentRevision))
                .as("patched pods, whose processes the kubelet has not ended yet")
                .hasSize(1);
        long epoch = world.coordinator.layout().epoch();
        for (int i = 0; i < 5; i++) {
            world.reconcile();
        }
        assertThat(world.coordinator.layout().epoch()).isEqualTo(epoch);
        assertThat(world.plan().commands().commit()).isEmpty();
        until("the upgrade is over", this::isOver);
    }

    @Test
    void noProcessIsReplacedBeforeItIsProvedThatItHasParkedAndTheNextIsAwaited() {
        edit("ratchet/worker:second");
        until("the upgrade is over", () -> {
            world.workerPods().forEach((seat, pod) -> {
                boolean isPatched = pod.getMetadata().getAnnotations().containsKey(Names.REPLACED_ANNOTATION);
                if (isPatched && report(seat).incarnation() == 1) {
                    assertThat(report(seat).parked())
                            .as("parked before " + seat)
                            .isTrue();
                    assertThat(world.coordinator.parking).containsExactly(Map.entry(seat, 1L));
                }
            });
            assertThat(world.coordinator.parking).as("one at a time").hasSizeLessThanOrEqualTo(1);
            return isOver();
        });
        world.round();
        assertThat(world.coordinator.parking).isEmpty();
        assertThat(reports()).noneMatch(WorkerReport::parked);
    }

    /** As after a start of the operator: the first thing that it sends must not take back what stands. */
    @Test
    void whoHasHeardNoCoordinatorYetWishesNothing() {
        edit("ratchet/worker:second");
        until("a seat is to park", () -> !world.coordinator.parking.isEmpty());
        world.coordinatorHeard = false;
        assertThat(world.plan().commands()).isEqualTo(Commands.NONE);
        world.coordinatorHeard = true;
        assertThat(world.plan().commands().parking()).isNotEmpty();
    }

    @Test
    void aProcessThatDoesNotParkIsReplacedAfterTheTimeOfADrain() {
        world.coordinator.parkingHangs = true;
        world.edit(spec -> {
            spec.workers.drainTimeoutMillis = 5_000;
            spec.image = "ratchet/worker:second";
        });
        world.reconcile();
        world.reconcile();
        assertThat(images()).as("it is waited for").containsOnly("ratchet/worker:0.1.0");
        assertThat(world.coordinator.parking).containsValue(1L);
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
    }

    @Test
    void besideAWorkerThatDoesNotKnowParkingNobodyParks() {
        world.coordinator.parks = false;
        edit("ratchet/worker:second");
        world.reconcile();
        assertThat(images()).as("at once").contains("ratchet/worker:second");
        until("the upgrade is over", () -> {
            assertThat(world.coordinator.parking).isEmpty();
            return isOver();
        });
    }

    @Test
    void whoParksForAnEditThatIsTakenBackWorksAgain() {
        world.coordinator.parkingHangs = true;
        edit("ratchet/worker:second");
        until("one is to park", () -> !world.coordinator.parking.isEmpty());
        edit("");
        until("none is to park", () -> world.coordinator.parking.isEmpty() && isOver());
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(reports()).allSatisfy(said -> assertThat(said.incarnation()).isEqualTo(1));
    }

    @Test
    void nobodyAwaitsTheProcessOfAPodThatIsDeleted() {
        world.coordinator.parkingHangs = true;
        edit("ratchet/worker:second");
        until("one is to park", () -> !world.coordinator.parking.isEmpty());
        String seat = world.coordinator.parking.keySet().iterator().next();
        world.processesHang = true;
        world.api.delete(world.workerPods().get(seat), OptionalLong.empty());
        world.reconcile();
        assertThat(world.coordinator.parking).isEmpty();
    }

    @Test
    void anImageThatCanNotBePulledIsPatchedBackAndLeftAlone() {
        world.missingImages.add("ratchet/worker:bad");
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(uids()).isEqualTo(before);
        assertThat(world.condition(ConditionType.READY)).isEqualTo("True AllWorkersReady");
        world.round();
        assertThat(world.coordinator.parking).isEmpty();
    }

    @Test
    void anImageWhoseProcessEndsAgainAndAgainIsPatchedBack() {
        edit("ratchet/worker:crashing");
        until("one runs it", () -> images().contains("ratchet/worker:crashing"));
        world.brokenImages.add("ratchet/worker:crashing");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void restartsFromBeforeThePatchAreNoFaultOfTheNewImage() {
        world.workerPods().values().forEach(world::crash);
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(blocked()).isEqualTo("False NoUpgrade");
    }

    @Test
    void aWorkerAloneIsUpgradedAndPutBack() {
        world.scale(1);
        until("one is left", () -> world.workers().size() == 1);
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);
        world.missingImages.add("ratchet/worker:bad");
        edit("ratchet/worker:bad");
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertThat(images()).containsExactly("ratchet/worker:second");
    }

    @Test
    void takingTheEditBackInTheMiddlePatchesBack() {
        edit("ratchet/worker:second");
        until("one is updated", () -> world.writeStatus().updatedReplicas == 1);
        edit("");
        until("the upgrade is over", this::isOver);
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void withoutAVolumeOtherFieldsAreRefusedBeforeAnythingIsTouched() {
        world.edit(spec -> spec.workers.threads = 7);
        rounds(10);
        assertThat(blocked()).isEqualTo("True NotInPlace");
        assertThat(message())
                .contains("spec.containers[worker].env[RATCHET_THREADS]")
                .contains("spec.workers.storage")
                .contains("SurgeThenRemove");
        assertThat(uids()).isEqualTo(before);
        world.edit(spec -> {
            spec.upgrade.strategy = UpgradeStrategy.SURGE_THEN_REMOVE;
            spec.upgrade.maxSurge = 1;
        });
        until("the upgrade is over", this::isOver);
        assertThat(uids())
                .hasSize(WORKERS)
                .doesNotContainValue(before.values().iterator().next());
    }

    @Test
    void withAVolumeOtherFieldsMakeThePodAnewOnItsNode() {
        World other = new World();
        other.edit(spec -> {
            spec.upgrade = world.cluster.getSpec().upgrade;
            spec.workers.storage = new StorageSpec();
            spec.workers.storage.size = new Quantity("1Gi");
            spec.workers.replicas = WORKERS;
        });
        other.settle();
        other.workerPods().keySet().forEach(seat -> other.place(seat, "node-of-" + seat));
        other.settle();
        Map<String, String> uids = uids(other);
        other.edit(spec -> spec.workers.threads = 7);
        until(other, "the upgrade is over", () -> isOver(other));
        assertThat(uids(other))
                .hasSameSizeAs(uids)
                .doesNotContainValue(uids.values().iterator().next());
        assertThat(other.workers().keySet()).isEqualTo(uids.keySet());
        assertThat(other.workerPods()).allSatisfy((seat, pod) -> assertThat(pod.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms())
                .singleElement()
                .satisfies(term -> assertThat(term.getMatchFields())
                        .singleElement()
                        .satisfies(field -> assertThat(field.getValues()).containsExactly("node-of-" + seat))));
    }

    @Test
    void anOperatorThatDiesAtAnyWriteIsFollowedByOneThatGoesOn() {
        edit("ratchet/worker:second");
        for (int i = 0; i < ROUNDS_MAX && !isOver(); i++) {
            world.reconcileInterrupted(1);
            world.coordinator.newTerm();
            world.round();
        }
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:second");
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void aPatchFromAnOutdatedSnapshotChangesNothing() {
        edit("ratchet/worker:second");
        world.reconcile();
        ReconcilePlan stale = world.plan();
        until("the upgrade is over", this::isOver);
        Map<String, Pod> pods = world.workerPods();
        world.carryOut(stale);
        assertThat(world.workerPods()).isEqualTo(pods);
    }

    @Test
    void theAnnotationOfAPodSaysWhatIsAwaited() {
        edit("ratchet/worker:second");
        until("one is patched", () -> world.workerPods().values().stream()
                .anyMatch(pod -> pod.getMetadata().getAnnotations().containsKey(Names.REPLACED_ANNOTATION)));
        assertThat(world.workerPods().values())
                .filteredOn(pod -> pod.getMetadata().getAnnotations().containsKey(Names.REPLACED_ANNOTATION))
                .singleElement()
                .satisfies(pod -> assertThat(pod.getMetadata().getAnnotations().get(Names.REPLACED_ANNOTATION))
                        .isEqualTo("incarnation=1 restarts=0 version=0.1.0"));
    }

    @Test
    void forAnotherReleaseTheStoreTakesTheImageBeforeAnyWorkerDoes() {
        String store = storeUid();
        world.edit(spec -> spec.version = "0.0.9");
        until("the upgrade is over", () -> {
            boolean workers = images().contains("ratchet/worker:0.0.9");
            assertThat(!workers || storeImage().equals("ratchet/worker:0.0.9"))
                    .as("the store comes first")
                    .isTrue();
            return workers && isOver();
        });
        assertThat(images()).containsOnly("ratchet/worker:0.0.9");
        assertThat(storeUid()).isEqualTo(store);
        assertThat(uids()).isEqualTo(before);
        assertThat(world.plan().actions()).isEmpty();
    }

    @Test
    void noWorkerIsTouchedWhileTheStoreStarts() {
        world.edit(spec -> spec.version = "0.0.9");
        untilPulled();
        for (int i = 0; i < 5; i++) {
            world.reconcile();
        }
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.0.9");
        assertThat(images()).containsOnly("ratchet/worker:0.1.0");
        assertThat(blocked()).isEqualTo("True WaitingForStore");
        until("the upgrade is over", () -> images().stream().allMatch("ratchet/worker:0.0.9"::equals) && isOver());
    }

    @Test
    void aStoreIsNotTouchedForAnImageThatItsNodeCanNotRun() {
        world.missingImages.add("ratchet/worker:0.0.9");
        world.edit(spec -> spec.version = "0.0.9");
        until("it is told", () -> blocked().equals("True PodsCanNotStart"));
        rounds(20);
        assertThat(message()).contains("ratchet/worker:0.0.9", "ImagePullBackOff", "delete that pod");
        assertThat(PodFacts.restarts(world.pods().get(Names.storePod(World.CLUSTER)), Names.STORE_CONTAINER))
                .isZero();
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.1.0");
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        world.edit(spec -> spec.version = "0.1.0");
        until("nothing is blocked", () -> blocked().startsWith("False"));
        assertThat(world.pods()).doesNotContainKey(Names.pullPod(World.CLUSTER));
        assertThat(uids()).isEqualTo(before);
    }

    @Test
    void anotherImageThanTheOneThatIsPulledIsPulledAnew() {
        world.missingImages.add("ratchet/worker:0.0.9");
        world.edit(spec -> spec.version = "0.0.9");
        until("it is told", () -> blocked().equals("True PodsCanNotStart"));
        world.edit(spec -> spec.version = "0.0.8");
        until("the upgrade is over", () -> images().stream().allMatch("ratchet/worker:0.0.8"::equals) && isOver());
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.0.8");
        assertThat(world.pods()).doesNotContainKey(Names.pullPod(World.CLUSTER));
    }

    @Test
    void aStoreThatCanNotRunTheReleaseIsPutBackAndNoWorkerIsTouched() {
        world.edit(spec -> spec.version = "0.0.9");
        untilPulled();
        world.missingImages.add("ratchet/worker:0.0.9");
        until("it is put back", () -> blocked().equals("True PodsCanNotStart"));
        rounds(20);
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.1.0");
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(message()).contains("ratchet/worker:0.0.9").contains("no worker was replaced");
        assertThat(world.condition(ConditionType.READY)).isEqualTo("True AllWorkersReady");
        world.edit(spec -> spec.version = "0.1.0");
        until("nothing is blocked", () -> blocked().startsWith("False"));
        assertThat(uids()).isEqualTo(before);

        world.missingImages.clear();
        world.edit(spec -> spec.version = "0.0.9");
        until(
                "the mended release is taken",
                () -> images().stream().allMatch("ratchet/worker:0.0.9"::equals) && isOver());
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.0.9");
    }

    /** What the kubelet says of the former process is no word about the image that has just been given. */
    @Test
    void aReleaseMendsAStoreWhoseProcessEndsAgainAndAgain() {
        endStoreAgainAndAgain(3);
        world.edit(spec -> spec.version = "0.0.9");
        until("the upgrade is over", () -> images().stream().allMatch("ratchet/worker:0.0.9"::equals) && isOver());
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.0.9");
        assertThat(blocked()).isEqualTo("False NoUpgrade");
    }

    @Test
    void aStoreWhoseProcessEndsAgainAndAgainWithTheReleaseIsPutBack() {
        world.edit(spec -> spec.version = "0.0.9");
        until("the store has the release", () -> storeImage().equals("ratchet/worker:0.0.9"));
        endStoreAgainAndAgain(1);
        until("it is put back", () -> blocked().equals("True PodsCanNotStart"));
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.1.0");
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
    }

    private void endStoreAgainAndAgain(int restarts) {
        world.api.put(new PodBuilder(world.pods().get(Names.storePod(World.CLUSTER)))
                .editStatus()
                .editFirstCondition()
                .withStatus("False")
                .endCondition()
                .editFirstContainerStatus()
                .withRestartCount(restarts)
                .withNewState()
                .withNewWaiting()
                .withReason("CrashLoopBackOff")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
    }

    @Test
    void aQuotaThatAsksForResourcesRefusesNoUpgradeOfAStoreThatNamesThem() {
        World other = new World();
        other.edit(spec -> {
            spec.upgrade = world.cluster.getSpec().upgrade;
            spec.store.embedded = new EmbeddedStoreSpec();
            spec.store.embedded.resources.requests.put("memory", new Quantity("1Gi"));
            spec.store.embedded.resources.limits.put("memory", new Quantity("2Gi"));
            spec.workers.replicas = 1;
        });
        other.settle();
        other.api.refuse(object -> object instanceof Pod pod && namesNoMemory(pod));
        other.edit(spec -> spec.version = "0.0.9");
        until(
                other,
                "the upgrade is over",
                () -> isOver(other)
                        && other.writeStatus().updatedReplicas == 1
                        && other.condition(ConditionType.UPGRADE_BLOCKED).startsWith("False"));
    }

    private static boolean namesNoMemory(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .map(container -> container.getResources())
                .anyMatch(named -> named == null
                        || !named.getRequests().containsKey("memory")
                        || !named.getLimits().containsKey("memory"));
    }

    @Test
    void aProcessOfAnotherReleaseThanTheSpecSaysProvesNothing() {
        world.edit(spec -> {
            spec.version = "0.0.9";
            spec.image = "ratchet/worker:mislabelled";
        });
        until("it is rolled back", () -> isOver() && blocked().equals("True RolledBack"));
        assertThat(images()).hasSize(WORKERS).containsOnly("ratchet/worker:0.1.0");
        assertThat(world.layouts().values())
                .anyMatch(layout -> layout.getStatus().abort != null
                        && layout.getStatus().abort.message.contains("one above 1 of release 0.0.9 is awaited"));
    }

    @Test
    void anotherImageOfTheSameReleaseLeavesTheStoreAlone() {
        edit("ratchet/worker:second");
        until("the upgrade is over", this::isOver);
        assertThat(storeImage()).isEqualTo("ratchet/worker:0.1.0");
    }

    private void untilPulled() {
        until("the image to have run on the node of the store", () -> Optional.ofNullable(
                        world.pods().get(Names.pullPod(World.CLUSTER)))
                .filter(PodFacts::hasSucceeded)
                .isPresent());
    }

    private String storeImage() {
        return world.pods()
                .get(Names.storePod(World.CLUSTER))
                .getSpec()
                .getContainers()
                .get(0)
                .getImage();
    }

    private String storeUid() {
        return world.pods().get(Names.storePod(World.CLUSTER)).getMetadata().getUid();
    }

    private void start() {
        world.scale(WORKERS);
        world.settle();
        before = uids();
        assertThat(before).hasSize(WORKERS);
    }

    private void edit(String image) {
        world.edit(spec -> spec.image = image);
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            world.round();
        }
    }

    private void until(String what, BooleanSupplier reached) {
        until(world, what, reached);
    }

    private static void until(World world, String what, BooleanSupplier reached) {
        for (int i = 0; i < ROUNDS_MAX; i++) {
            world.round();
            if (reached.getAsBoolean()) {
                return;
            }
        }
        throw new AssertionError("waited for: " + what + "; upgrade "
                + world.plan().layout().upgrade() + "; " + world.plan().actions());
    }

    private boolean isOver() {
        return isOver(world);
    }

    private static boolean isOver(World world) {
        LayoutDecision layout = world.plan().layout();
        return !layout.upgrade().isUnderWay()
                && layout.create().isEmpty()
                && layout.proposal().isEmpty()
                && world.workers().keySet().equals(world.coordinator.layout().seats())
                && world.workerPods().values().stream().allMatch(PodFacts::isReady);
    }

    private WorkerReport report(String seat) {
        return world.snapshot().clusterReport().orElseThrow().worker(seat).orElseThrow();
    }

    private List<WorkerReport> reports() {
        return List.copyOf(
                world.snapshot().clusterReport().orElseThrow().workers().values());
    }

    private List<String> images() {
        return world.workerPods().values().stream()
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .toList();
    }

    private Map<String, String> uids() {
        return uids(world);
    }

    private static Map<String, String> uids(World world) {
        Map<String, String> uids = new TreeMap<>();
        world.workerPods()
                .forEach((seat, pod) -> uids.put(seat, pod.getMetadata().getUid()));
        return uids;
    }

    private String blocked() {
        return world.condition(ConditionType.UPGRADE_BLOCKED);
    }

    private String message() {
        return Conditions.find(world.writeStatus().conditions, ConditionType.UPGRADE_BLOCKED)
                .orElseThrow()
                .getMessage();
    }
}
