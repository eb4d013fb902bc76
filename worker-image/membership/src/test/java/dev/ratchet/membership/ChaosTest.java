/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.membership.simulated.ToyWork;
import dev.ratchet.membership.simulated.VirtualCluster;
import dev.ratchet.membership.simulated.VirtualWorker;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Workers that claim and finish without a pause while processes are killed, paused and replaced, drains come and go and
 * commits end in unknown outcomes. Whatever happens, no former incarnation writes after a later one, a seat that is
 * recorded as drained holds nothing, and once the faults are over everything works. More seeds:
 * {@code -Dratchet.seeds=10000}.
 */
class ChaosTest {

    private static final List<String> SEATS = List.of("orders-w-0", "orders-w-1", "orders-w-2");
    private static final long FAULTS_MILLIS = 60_000;
    private static final long CALM_MILLIS = 60_000;

    static IntStream seeds() {
        return IntStream.rangeClosed(1, Integer.getInteger("ratchet.seeds", 60));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverFailsNothingIsWrittenInTheNameOfAFormerIncarnation(int seed) {
        new Story(seed).tell();
    }

    /** One seed's run. */
    private static final class Story {
        private final SplittableRandom random;
        private final VirtualCluster cluster;
        private final Map<String, VirtualWorker> newest = new HashMap<>();
        private final Map<String, Integer> boots = new HashMap<>();
        private final Map<String, String> pods = new HashMap<>();
        private final List<String> events = new ArrayList<>();
        private long nextId;

        Story(int seed) {
            random = new SplittableRandom(seed);
            cluster = new VirtualCluster(seed);
            cluster.loseOneCommitIn(15);
        }

        void tell() {
            SEATS.forEach(this::startNewPod);
            long end = cluster.world.nanos() + FAULTS_MILLIS * 1_000_000;
            while (cluster.world.nanos() < end) {
                cluster.world.run(200 + random.nextInt(1_500));
                fault();
                IntStream.range(0, 3).forEach(i -> work());
                check();
            }
            calm();
        }

        private void fault() {
            String seat = SEATS.get(random.nextInt(SEATS.size()));
            VirtualWorker worker = newest.get(seat);
            switch (random.nextInt(8)) {
                case 0 -> {
                    note("kill and restart " + seat);
                    worker.kill();
                    restartInPod(seat);
                }
                case 1 -> {
                    note("replace the pod of " + seat);
                    if (random.nextBoolean()) {
                        worker.kill();
                    }
                    startNewPod(seat);
                }
                case 2 -> pause(worker, 100 + random.nextInt(30_000));
                case 3 -> cluster.cutProbes();
                case 4 -> cluster.healProbes();
                case 5 -> setDraining(random.nextBoolean() ? List.of(seat) : List.of());
                case 6 -> {
                    if (worker.membership().isJoined() && !worker.isGone()) {
                        note("end " + seat);
                        worker.leave(1_000);
                        startNewPod(seat);
                    }
                }
                default -> note("nothing");
            }
        }

        private void pause(VirtualWorker worker, long millis) {
            note("pause " + worker.seat().name() + " for " + millis);
            worker.process().pause();
            cluster.later(millis, worker.process()::resume);
        }

        private void setDraining(List<String> seats) {
            note("drain " + seats);
            cluster.coordinator().ifPresent(leader -> leader.coordinator()
                    .setDraining(SetDrainingRequest.newBuilder()
                            .addAllSeats(seats)
                            .setDrainTimeoutMillis(500)
                            .build()));
        }

        private void startNewPod(String seat) {
            pods.merge(seat, "a", (former, one) -> former + one);
            boots.put(seat, 0);
            restartInPod(seat);
        }

        private void restartInPod(String seat) {
            String pod = seat + "-" + pods.get(seat);
            int boot = boots.merge(seat, 1, Integer::sum);
            int drift = random.nextInt(21) - 10;
            newest.put(
                    seat,
                    cluster.start(seat, pod, boot, "10.0." + Integer.toHexString(pod.hashCode()) + ":7400", drift));
        }

        /** Every process that was ever started goes on trying, also those that should know better. */
        private void work() {
            List<VirtualWorker> workers = cluster.workers();
            VirtualWorker worker = workers.get(random.nextInt(workers.size()));
            if (!worker.membership().isJoined() || worker.process().isDead()) {
                return;
            }
            if (random.nextBoolean()) {
                nextId++;
                worker.work().claim("f" + nextId);
            } else {
                worker.work().claimed().stream().findFirst().ifPresent(worker.work()::finish);
            }
        }

        private void check() {
            List<KeyValue> history = cluster.await(cluster.database.readAsync(transaction -> transaction
                    .getRange(ToyWork.history(cluster.keyspace).range())
                    .asList()));
            Map<String, Long> highest = new HashMap<>();
            for (KeyValue row : history) {
                Tuple entry = ToyWork.history(cluster.keyspace).unpack(row.getKey());
                long incarnation = entry.getLong(2);
                long before = highest.getOrDefault(entry.getString(1), 0L);
                assertThat(incarnation)
                        .as("%s wrote after incarnation %s; %s", entry, before, this)
                        .isGreaterThanOrEqualTo(before);
                highest.put(entry.getString(1), incarnation);
            }
            for (String seat : SEATS) {
                boolean drainedAndHolding = cluster.await(cluster.database.readAsync(transaction -> new StoredMembers(
                                cluster.keyspace)
                        .one(transaction, seat)
                        .thenCombine(
                                newest.get(seat).work().recorded(transaction, seat),
                                (member, held) -> member.map(Member::drained).orElse(false) && !held.isNothing())));
                assertThat(drainedAndHolding)
                        .as("%s is recorded as drained and holds something; %s", seat, this)
                        .isFalse();
            }
        }

        /** The faults are over: every seat is taken and works, and one of the workers leads. */
        private void calm() {
            note("calm");
            cluster.healProbes();
            cluster.world.run(35_000);
            for (String seat : SEATS) {
                if (newest.get(seat).isGone()) {
                    restartInPod(seat);
                }
            }
            cluster.world.until("somebody leads; " + this, CALM_MILLIS, () -> cluster.coordinator()
                    .isPresent());
            long deadline = CALM_MILLIS;
            while (!isDraining(List.of())) {
                setDraining(List.of());
                cluster.world.run(1_000);
                deadline -= 1_000;
                assertThat(deadline).as("drains are called off; %s", this).isPositive();
            }
            cluster.world.until("all seats work; " + this, CALM_MILLIS, () -> SEATS.stream()
                    .allMatch(seat -> cluster.workers().stream()
                            .anyMatch(worker -> worker.seat().name().equals(seat) && worker.isHealthy())));
            check();
        }

        private boolean isDraining(List<String> seats) {
            return cluster.wantedDrains().equals(seats);
        }

        private void note(String event) {
            events.add(cluster.world.nanos() / 1_000_000 % 1_000_000 + " " + event);
        }

        @Override
        public String toString() {
            return "seed " + cluster.world.seed() + ": " + events;
        }
    }
}
