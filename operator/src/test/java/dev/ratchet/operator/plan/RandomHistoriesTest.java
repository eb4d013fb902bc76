/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.operator.observe.CoordinatorReport;
import dev.ratchet.operator.observe.PodFacts;
import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.observe.WorkerReport;
import dev.ratchet.operator.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of one cluster: wishes, edits of the image, lost pods, failed pods, images that can not be pulled, a
 * coordinator that is not heard or changes, an operator that dies in the middle of a plan, a cluster that is deleted
 * and created again before a slow garbage collector is through, or whose finalizer somebody took away. Whatever
 * happens, nothing is removed without a proof; and when the faults end, the cluster becomes what was wished last and
 * then rests.
 */
class RandomHistoriesTest {
    private static final int STEPS = 60;
    private static final int WORKERS_MAX = 6;
    private static final int SETTLES_MAX = 30;
    private static final List<String> IMAGES = List.of("", "ratchet/worker:second", "ratchet/worker:third");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void nothingIsRemovedWithoutProofAndTheLastWishComesTrue(long seed) {
        Random random = new Random(seed);
        World world = new World();
        world.edit(spec -> spec.upgrade.gates.stableMillis = 2_000);
        world.scale(random.nextInt(WORKERS_MAX));
        for (int step = 0; step < STEPS; step++) {
            happen(world, random);
            world.collectGarbage();
            if (world.isDeleting()) {
                if (world.clean().done() || random.nextInt(20) == 0) {
                    world.createAgain();
                }
                continue;
            }
            ReconcilePlan plan = world.plan();
            checkRemovals(world.snapshot(), plan.actions(), seed, step);
            checkProposals(world, seed, step);
            if (random.nextInt(4) == 0) {
                world.reconcileInterrupted(random.nextInt(6));
            } else {
                world.reconcile();
            }
        }
        if (world.isDeleting()) {
            world.createAgain();
        }
        int wish = random.nextInt(WORKERS_MAX);
        world.scale(wish);
        world.coordinatorHeard = true;
        world.imagesPull = true;
        world.settle();
        for (int i = 0; i < SETTLES_MAX && world.plan().layout().upgrade().isUnderWay(); i++) {
            world.settle();
        }
        world.settle();
        assertThat(world.workers()).as("seed %d", seed).hasSize(wish);
        assertThat(world.workerPods()).as("seed %d", seed).hasSize(wish);
        assertThat(world.plan().actions()).as("seed %d", seed).isEmpty();
        if (wish > 0) {
            assertThat(world.coordinator.layout().seats())
                    .as("seed %d", seed)
                    .isEqualTo(world.workers().keySet());
        }
    }

    private static void happen(World world, Random random) {
        List<String> pods = List.copyOf(world.workerPods().keySet());
        switch (random.nextInt(14)) {
            case 0 -> world.scale(random.nextInt(WORKERS_MAX));
            case 1 -> pods.stream().findAny().ifPresent(world::lose);
            case 2 -> pods.stream().skip(pods.size() / 2).findFirst().ifPresent(world::fail);
            case 3 -> world.coordinatorHeard = random.nextInt(3) > 0;
            case 4 -> world.imagesPull = random.nextInt(3) > 0;
            case 5 -> world.restartOperator();
            case 6 ->
                world.snapshot().clusterReport().ifPresent(clusterReport -> clusterReport.workers().values().stream()
                        .findAny()
                        .ifPresent(report -> world.hold(report.seat(), random.nextInt(5))));
            case 7, 8 -> {
                world.work();
                world.coordinator.markTheDeadAsDrained();
            }
            case 9 -> {
                if (random.nextInt(3) == 0) {
                    world.delete();
                }
            }
            case 10 -> {
                String image = IMAGES.get(random.nextInt(IMAGES.size()));
                world.edit(spec -> spec.image = image);
            }
            default -> world.kubelet();
        }
        world.pass(Duration.ofSeconds(random.nextInt(20)));
    }

    /**
     * A pod that ran may be deleted by the operator only if it ended itself, or if the coordinator said that it holds
     * nothing.
     */
    private static void checkRemovals(Snapshot snapshot, List<Action> actions, long seed, int step) {
        for (Action action : actions) {
            if (action instanceof Action.Delete delete
                    && delete.object() instanceof Pod pod
                    && !PodFacts.isFinished(pod)
                    && !PodFacts.neverStarted(pod)) {
                String seat = pod.getMetadata().getName();
                Map<String, WorkerReport> reports =
                        snapshot.clusterReport().map(CoordinatorReport::workers).orElse(Map.of());
                Optional<WorkerReport> report = Optional.ofNullable(reports.get(seat));
                boolean recorded = snapshot.workers().get(seat).getStatus().conditions.stream()
                        .anyMatch(condition -> condition.getType().equals("Removable")
                                && condition.getStatus().equals("True"));
                assertThat(recorded
                                || report.map(WorkerReport::drained)
                                        .orElse(snapshot.clusterReport().isPresent()))
                        .as("seed %d step %d: %s is deleted with a proof", seed, step, seat)
                        .isTrue();
                assertThat(report.map(said -> said.holds().total()).orElse(0L))
                        .as("seed %d step %d: what %s holds", seed, step, seat)
                        .isZero();
            }
        }
    }

    private static void checkProposals(World world, long seed, int step) {
        long open = LayoutFacts.of(world.layouts().values()).stream()
                .filter(layout -> !layout.aborted() && !layout.committed())
                .filter(layout -> layout.epoch() != world.coordinator.layout().epoch())
                .count();
        assertThat(open).as("seed %d step %d: open proposals", seed, step).isLessThanOrEqualTo(1);
    }
}
