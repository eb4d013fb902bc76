/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.WorkerState;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.futures.v1.StoredObject;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One layout has a new worker and lacks an old one, while an upgrade is to replace the others later: what the old one
 * holds moves once. More seeds: {@code -Dratchet.replacementSeeds=1000}.
 */
class ReplacementTest {

    private static final int VALUES = 12;
    private static final long COPIED_MILLIS = 10_000;
    private static final long DRAIN_MILLIS = 30_000;

    @TempDir
    Path directory;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Integer.getInteger("ratchet.replacementSeeds", 12));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatTheOldWorkerHoldsGoesToTheNewOneThatComesInItsPlace(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            List<Double> before = replacement.fetchedByOld();
            replacement.commit(2, replacement.next());
            replacement.untilEmptied(10_000);
            assertThat(replacement.fetchedByOld()).as("bytes got by old ones").isEqualTo(before);
            replacement.assertNothingIsLost();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatAWorkerThatIsToldToEndHoldsGoesToTheNewOneThatHasJustBegunToWork(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            List<Double> before = replacement.fetchedByOld();
            replacement.commit(2, replacement.all());
            replacement.futures.cluster.world.until("the new one works", 10_000, replacement.joiner::isHealthy);
            replacement.leave();
            assertThat(replacement.fetchedByOld()).as("bytes got by old ones").isEqualTo(before);
            replacement.assertNothingIsLost();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsCopiedForFearOfFurtherLossesWhereAWorkerHasEndedWithNothingLeft(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            replacement.commit(2, replacement.next());
            replacement.untilEmptied(10_000);
            replacement.leave();
            replacement.futures.cluster.world.run(COPIED_MILLIS);
            assertThat(replacement.sum("objects_second_copies_bytes_total")).isZero();
            assertThat(replacement.sum("objects_fetched_bytes_total"))
                    .as("bytes that moved")
                    .isEqualTo(replacement.leavingBytes);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOldWorkerDoesNotWaitForANewOneThatDies(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            replacement.joiner.kill();
            replacement.commit(2, replacement.next());
            replacement.untilEmptied(20_000);
            replacement.assertNothingIsLost();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOldWorkerWaitsNoLongerThanALeaseForANewOneThatIsSilent(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            replacement.futures.cluster.cutProbes();
            replacement.joiner.process().pause();
            replacement.commit(2, replacement.next());
            replacement.futures.cluster.world.run(2_000);
            assertThat(replacement.leaving.isHealthy()).as("works meanwhile").isTrue();
            replacement.untilEmptied(SimulatedCluster.LEASE.observerTtlMillis() + 10_000);
            replacement.assertNothingIsLost();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOldWorkerDoesNotWaitForASeatThatNobodyHasTaken(long seed) {
        try (Replacement replacement = new Replacement(seed)) {
            replacement.commit(
                    2,
                    Stream.concat(replacement.staying(), Stream.of("orders-w-9"))
                            .toList());
            replacement.futures.cluster.world.until(
                    "the old one drains", 1_000, () -> replacement.leaving.state() == WorkerState.DRAINING);
            replacement.untilEmptied(10_000);
            replacement.assertNothingIsLost();
        }
    }

    /** Three old workers with values in layout 1, and a new one that no layout has yet. */
    private final class Replacement implements AutoCloseable {
        private final FuturesCluster futures;
        private final List<FutureId> values = new ArrayList<>();
        private final SimulatedWorker leaving;
        private final SimulatedWorker joiner;
        private final double leavingBytes;

        Replacement(long seed) {
            Path own = directory.resolve(Long.toString(seed));
            futures = new FuturesCluster(seed, 3, parts -> new FuturesWork(parts, own));
            for (int number = 1; number <= VALUES; number++) {
                SimulatedTask.Kind kind = number % 2 == 0 ? SimulatedTask.Kind.LARGE : SimulatedTask.Kind.LARGE_ONCE;
                values.add(futures.client.submit(new SimulatedTask(number, 500, kind), List.of()));
            }
            futures.untilDone(20_000);
            futures.cluster.world.run(COPIED_MILLIS + 100 * seed);
            leaving = futures.runner(values.getFirst());
            leavingBytes = values.stream()
                    .map(id -> futures.record(id).getResult().getObject())
                    .filter(object -> object.getCopiesList().stream()
                            .anyMatch(copy -> copy.getSeat().equals(leaving.name())))
                    .mapToDouble(StoredObject::getBytes)
                    .sum();
            commit(1, old().toList());
            joiner = futures.cluster.start("orders-w-3");
            futures.cluster.world.until("the new one waits for a layout", 10_000, () -> seen("orders-w-3")
                    .anyMatch(Member::drained));
            futures.cluster.await(leader().coordinator()
                    .setDraining(SetDrainingRequest.newBuilder()
                            .addAllOutgoing(old().toList())
                            .setDrainTimeoutMillis(DRAIN_MILLIS)
                            .build()));
            futures.cluster.world.until("all know who is replaced later", 5_000, () -> futures.workers.stream()
                    .allMatch(
                            worker -> worker.membership().liveness().outgoing().size() == 3));
        }

        private SimulatedWorker leader() {
            futures.cluster.world.until("somebody leads", 60_000, () -> futures.cluster
                    .coordinator()
                    .isPresent());
            return futures.cluster.coordinator().orElseThrow();
        }

        private Stream<String> old() {
            return futures.workers.stream().map(SimulatedWorker::name);
        }

        private Stream<String> staying() {
            return old().filter(seat -> !seat.equals(leaving.name()));
        }

        List<String> all() {
            return Stream.concat(old(), Stream.of(joiner.name())).toList();
        }

        List<String> next() {
            return Stream.concat(staying(), Stream.of(joiner.name())).toList();
        }

        void commit(long epoch, List<String> seats) {
            boolean committed = futures.cluster
                    .await(leader().coordinator()
                            .commitLayout(CommitLayoutRequest.newBuilder()
                                    .setFromEpoch(epoch - 1)
                                    .setLayout(Layout.newBuilder()
                                            .setEpoch(epoch)
                                            .setDigest("of " + epoch)
                                            .addAllSeats(seats))
                                    .build()))
                    .getCommitted();
            assertThat(committed).isTrue();
        }

        private Stream<Member> seen(String seat) {
            return leader().membership().liveness().latest().stream()
                    .filter(member -> member.seat().equals(seat));
        }

        void untilEmptied(long withinMillis) {
            futures.cluster.world.until("the old one is proved empty", withinMillis, () -> seen(leaving.name())
                    .anyMatch(Member::drained));
        }

        /** As TERM does, until its seat is free. */
        void leave() {
            leaving.process().executor().execute(() -> leaving.leave(DRAIN_MILLIS));
            futures.cluster.world.until("the old one has ended", 10_000, leaving::isGone);
        }

        List<Double> fetchedByOld() {
            return futures.workers.stream()
                    .map(worker -> metric(worker, "objects_fetched_bytes_total"))
                    .toList();
        }

        double sum(String name) {
            return futures.cluster.workers().stream()
                    .mapToDouble(worker -> metric(worker, name))
                    .sum();
        }

        private static double metric(SimulatedWorker worker, String name) {
            return ((FuturesWork) worker.work()).metric(name);
        }

        void assertNothingIsLost() {
            assertThat(values)
                    .allSatisfy(id -> assertThat(futures.record(id).getState()).isEqualTo(State.STATE_REALIZED));
            for (FutureId id : values) {
                int bytes = futures.cluster.await(futures.client.read(id)).size();
                assertThat(bytes)
                        .isEqualTo(futures.record(id).getResult().getObject().getBytes());
                assertThat(futures.times(id)).as("runs of " + id).isEqualTo(1);
            }
        }

        @Override
        public void close() {
            futures.close();
        }
    }
}
