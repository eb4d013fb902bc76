/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that park before another one takes their seat and their files: nothing moves, and nothing is computed
 * again. More seeds: {@code -Dratchet.parkSeeds=1000}.
 */
class ParkScenarioTest extends Scenarios {

    private static final int VALUES = 6;
    private static final int ANOTHERS_MAX = 50;
    private static final long DRAIN_MILLIS = 5_000;
    private static final long COPIED_MILLIS = 10_000;
    private static final long IMAGE_MILLIS = 20_000;

    @TempDir
    Path directory;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.parkSeeds", 12));
    }

    @Override
    Scenario scenario(long seed) {
        return super.scenario(seed).withVolumes().withReplacementsInPlace();
    }

    /**
     * Told to end, or killed once it has parked, at any time; and the next process dies as it begins, after which what
     * can be computed again is not waited for.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aProcessThatIsReplacedInPlaceLosesAndMovesNothing(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (FuturesCluster futures = inPods(seed)) {
            List<FutureId> values = values(futures);
            SimulatedWorker first = futures.runner(values.getFirst());
            futures.cluster.world.run(COPIED_MILLIS);
            double fetchedBefore = fetchedBytes(futures);
            long incarnation = park(futures, first);
            if (random.nextBoolean()) {
                futures.cluster.world.run(random.nextLong(3_000));
                first.process().executor().execute(() -> first.leave(DRAIN_MILLIS));
                futures.cluster.world.until("it ends in order", 10_000, first::isGone);
            } else {
                untilParked(futures, first);
                futures.cluster.world.run(random.nextLong(1_000));
                first.kill();
            }
            futures.cluster.world.run(random.nextLong(IMAGE_MILLIS));
            SimulatedWorker second = next(futures, first, 2);
            futures.cluster.world.run(random.nextLong(30));
            boolean diesYoung = second.state() == WorkerState.NEW && random.nextBoolean();
            if (diesYoung) {
                second.kill();
                futures.cluster.world.run(random.nextLong(5_000));
                second = next(futures, first, 3);
            }
            futures.cluster.world.until("the seat works again", 30_000, second::isHealthy);
            assertThat(second.seat().incarnation()).isGreaterThan(incarnation);

            withdraw(futures);
            if (!diesYoung) {
                assertThat(fetchedBytes(futures)).as("bytes got from others").isEqualTo(fetchedBefore);
            }
            for (FutureId id : values) {
                int bytes = futures.cluster.await(futures.client.read(id)).size();
                assertThat(bytes)
                        .isEqualTo(futures.record(id).getResult().getObject().getBytes());
                if (!diesYoung || isOnce(futures, id)) {
                    assertThat(futures.times(id)).as("runs of " + id).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void whoParksAndIsNotReplacedWorksAgainWithWhatItHas() {
        try (FuturesCluster futures = inPods(1)) {
            List<FutureId> values = values(futures);
            SimulatedWorker first = futures.runner(values.getFirst());
            park(futures, first);
            untilParked(futures, first);
            assertThat(first.work().now().objects()).isPositive();
            assertThat(first.work().now().futures()).isZero();
            withdraw(futures);
            futures.cluster.world.until("it works again", 10_000, first::isHealthy);
            assertThat(futures.cluster.member(first.name()).isParked()).isFalse();
        }
    }

    /**
     * Just before it is taken back, too, as where somebody deletes the pod while it parks: the operator sees that, and
     * nobody will find the files.
     */
    @ParameterizedTest(name = "just before: {0}")
    @ValueSource(booleans = {false, true})
    void whoIsToldToEndWhenTheOrderToParkIsTakenBackHandsOver(boolean justBefore) {
        try (FuturesCluster futures = inPods(1)) {
            List<FutureId> values = values(futures);
            SimulatedWorker first = futures.runner(values.getFirst());
            park(futures, first);
            untilParked(futures, first);
            if (!justBefore) {
                withdraw(futures);
            }
            first.process().executor().execute(() -> first.leave(DRAIN_MILLIS));
            if (justBefore) {
                futures.cluster.world.run(300);
                withdraw(futures);
            }
            futures.cluster.world.until("it ends in order", 20_000, first::isGone);
            assertNothingIsLostWithout(futures, values);
        }
    }

    @Test
    void nothingWaitsForASeatThatIsNotExpectedBackButWhatCanNotBeComputedAgainIsLost() {
        try (FuturesCluster futures = inPods(1)) {
            List<FutureId> values = values(futures);
            SimulatedWorker first = futures.runner(values.getFirst());
            park(futures, first);
            untilParked(futures, first);
            first.kill();
            futures.cluster.world.run(60_000);
            assertThat(values)
                    .allSatisfy(id -> assertThat(futures.record(id).getState()).isEqualTo(State.STATE_REALIZED));
            withdraw(futures);
            futures.cluster.world.run(60_000);
            assertThat(values.stream().filter(id -> futures.record(id).getState() == State.STATE_LOST))
                    .as("what only it had")
                    .isNotEmpty();
        }
    }

    @Test
    void whatCanBeComputedAgainDoesNotWaitForEverForAProcessThatDoesNotCome() {
        try (FuturesCluster futures = inPods(1)) {
            List<FutureId> values = values(futures);
            SimulatedWorker first = futures.runner(values.getFirst());
            FutureId again = anotherOn(futures, first);
            FutureId once = values.getFirst();
            park(futures, first);
            untilParked(futures, first);
            first.kill();
            futures.cluster.world.run(200_000);
            assertThat(futures.record(again).getState()).isEqualTo(State.STATE_REALIZED);
            futures.cluster.world.run(140_000);
            assertThat(futures.record(again).getState()).isEqualTo(State.STATE_LOST);
            assertThat(futures.record(once).getState()).isEqualTo(State.STATE_REALIZED);
        }
    }

    private FuturesCluster inPods(long seed) {
        return new FuturesCluster(new SimulatedCluster(seed).withPods(directory.resolve(Long.toString(seed))), 3);
    }

    /** Large ones, half of which can not be computed again; the first of these is held by the one that is replaced. */
    private static List<FutureId> values(FuturesCluster futures) {
        List<FutureId> values = new ArrayList<>();
        for (int number = 1; number <= VALUES; number++) {
            SimulatedTask.Kind kind = number % 2 == 0 ? SimulatedTask.Kind.LARGE : SimulatedTask.Kind.LARGE_ONCE;
            values.add(futures.client.submit(new SimulatedTask(number, 500, kind), List.of()));
        }
        futures.untilDone(20_000);
        return values;
    }

    /** One that can be computed again, and that {@code worker} has computed. */
    private static FutureId anotherOn(FuturesCluster futures, SimulatedWorker worker) {
        for (int number = VALUES + 1; number <= VALUES + ANOTHERS_MAX; number++) {
            FutureId id = futures.client.submit(new SimulatedTask(number, 500, SimulatedTask.Kind.LARGE), List.of());
            futures.untilDone(20_000);
            if (isHeldBy(futures, id, worker)) {
                return id;
            }
        }
        throw new AssertionError(worker + " has computed none of " + ANOTHERS_MAX + " values");
    }

    private static boolean isOnce(FuturesCluster futures, FutureId id) {
        return futures.record(id).getSchedulingSpec().getNoReconstruction();
    }

    private static boolean isHeldBy(FuturesCluster futures, FutureId id, SimulatedWorker worker) {
        return futures.record(id).getResult().getObject().getCopiesList().stream()
                .anyMatch(copy -> copy.getSeat().equals(worker.name()));
    }

    private static double fetchedBytes(FuturesCluster futures) {
        return futures.cluster.workers().stream()
                .mapToDouble(worker -> ((FuturesWork) worker.work()).metric("objects_fetched_bytes_total"))
                .sum();
    }

    private static long park(FuturesCluster futures, SimulatedWorker worker) {
        long incarnation = worker.seat().incarnation();
        order(futures, SetDrainingRequest.newBuilder().putParking(worker.name(), incarnation));
        return incarnation;
    }

    private static void withdraw(FuturesCluster futures) {
        order(futures, SetDrainingRequest.newBuilder());
    }

    /** As the operator does: to whoever leads, once somebody does. */
    private static void order(FuturesCluster futures, SetDrainingRequest.Builder orders) {
        futures.cluster.world.until(
                "somebody leads", 60_000, () -> futures.cluster.coordinator().isPresent());
        futures.cluster.await(futures.cluster
                .coordinator()
                .orElseThrow()
                .coordinator()
                .setDraining(orders.setDrainTimeoutMillis(DRAIN_MILLIS).build()));
    }

    private static void untilParked(FuturesCluster futures, SimulatedWorker worker) {
        futures.cluster.world.until("it has parked", 10_000, () -> isParked(futures, worker));
    }

    private static boolean isParked(FuturesCluster futures, SimulatedWorker worker) {
        return futures.workers.stream()
                .flatMap(other -> other.membership().liveness().latest().stream())
                .anyMatch(member -> member.seat().equals(worker.name()) && member.isParked());
    }

    private static SimulatedWorker next(FuturesCluster futures, SimulatedWorker former, int boot) {
        return futures.cluster.start(former.name(), "pod-" + former.name(), boot, former.address(), 0);
    }

    private static void assertNothingIsLostWithout(FuturesCluster futures, List<FutureId> values) {
        futures.cluster.world.run(30_000);
        for (FutureId id : values) {
            if (isOnce(futures, id)) {
                assertThat(futures.cluster.await(futures.client.read(id)).size())
                        .isPositive();
                assertThat(futures.times(id)).isEqualTo(1);
            }
        }
    }
}
