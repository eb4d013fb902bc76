/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.ratchet.operator.certificates.Authority;
import dev.ratchet.operator.observe.Commands.Commit;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.Layout;
import dev.ratchet.protocol.coordinator.v1.ReportedSlot;
import dev.ratchet.protocol.coordinator.v1.ReportedWorker;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoordinatorLinksTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Authority authority = ScriptedCoordinator.authority();
    private final MutualTls operator =
            ScriptedCoordinator.security(authority, new Identity("team-a", "orders", Kind.OPERATOR, "operator"));
    private final AtomicInteger changes = new AtomicInteger();
    private final CoordinatorLinks links = new CoordinatorLinks(cluster -> changes.incrementAndGet());

    @AfterEach
    void close() {
        links.close();
    }

    @Test
    void aClusterReportIsHeardAndItsNewsAreTold() throws Exception {
        try (ScriptedCoordinator worker = worker("orders-w-0", clusterReport(3, 1))) {
            track(Commands.NONE, worker.endpoint());
            await().atMost(LONG).until(() -> heard().isPresent());
            assertThat(heard().orElseThrow().term()).isEqualTo(3);
            int before = changes.get();
            worker.say(clusterReport(3, 2).toBuilder()
                    .addWorkers(ReportedWorker.newBuilder().setSeat("orders-w-0"))
                    .build());
            await().atMost(LONG).until(() -> changes.get() > before);
            assertThat(heard().orElseThrow().worker("orders-w-0")).isPresent();
        }
    }

    @Test
    void slotsThatSessionsTakeAreToldEveryFewSeconds() throws Exception {
        try (ScriptedCoordinator worker = worker("orders-w-0", clusterReport(3, 1, 0))) {
            track(Commands.NONE, worker.endpoint());
            await().atMost(LONG).until(() -> changes.get() > 0);
            int before = changes.get();
            for (int held = 1; held <= 50; held++) {
                worker.say(clusterReport(3, 1 + held, held));
            }
            await("the slots that are held now are told")
                    .atMost(LONG)
                    .until(() -> changes.get() > before
                            && heard().orElseThrow()
                                            .worker("orders-w-0")
                                            .orElseThrow()
                                            .slots()
                                            .getFirst()
                                            .held()
                                    == 50);
            assertThat(changes.get() - before)
                    .as("how often 50 changes were told")
                    .isLessThan(10);
        }
    }

    @Test
    void aRedirectIsFollowed() throws Exception {
        try (ScriptedCoordinator leader = worker("orders-w-1", clusterReport(5, 1));
                ScriptedCoordinator other = worker(
                        "orders-w-0",
                        ClusterReport.newBuilder()
                                .setRedirect(true)
                                .setCoordinatorSeat("orders-w-1")
                                .setCoordinatorAddress(leader.endpoint().address())
                                .build())) {
            track(Commands.NONE, other.endpoint());
            await().atMost(LONG).until(() -> heard().isPresent());
            assertThat(heard().orElseThrow().term()).isEqualTo(5);
        }
    }

    @Test
    void anOlderClusterReportIsIgnored() throws Exception {
        try (ScriptedCoordinator worker = worker("orders-w-0", clusterReport(5, 7))) {
            track(Commands.NONE, worker.endpoint());
            await().atMost(LONG).until(() -> heard().isPresent());
            worker.say(clusterReport(4, 99));
            worker.say(clusterReport(5, 6));
            worker.say(clusterReport(5, 8));
            await().atMost(LONG).until(() -> heard().orElseThrow().seq() == 8);
            assertThat(heard().orElseThrow().term()).isEqualTo(5);
        }
    }

    @Test
    void whatIsWantedIsSentUntilItIsSoAndNotAgain() throws Exception {
        try (ScriptedCoordinator worker = worker("orders-w-0", clusterReport(1, 1))) {
            Commit commit = new Commit(0, 1, "sha256:x", Set.of("orders-w-0"));
            track(
                    new Commands(
                            Optional.of(commit),
                            Optional.empty(),
                            Set.of("orders-w-0"),
                            Set.of("orders-w-1"),
                            Map.of("orders-w-2", 3L),
                            1000),
                    worker.endpoint());
            await().atMost(LONG).until(() -> !worker.commits.isEmpty());
            assertThat(worker.drainings).hasSize(1);
            assertThat(worker.drainings.get(0).getSeatsList()).containsExactly("orders-w-0");
            assertThat(worker.drainings.get(0).getOutgoingList()).containsExactly("orders-w-1");
            assertThat(worker.drainings.get(0).getParkingMap()).containsExactly(Map.entry("orders-w-2", 3L));
            assertThat(worker.commits.get(0).getLayout().getDigest()).isEqualTo("sha256:x");
            worker.say(clusterReport(1, 2).toBuilder()
                    .setLayout(Layout.newBuilder().setEpoch(1).setDigest("sha256:x"))
                    .build());
            await().atMost(LONG).until(() -> heard().orElseThrow().layout().epoch() == 1);
            drain(worker, commit, Set.of());
            int sent = worker.commits.size();
            drain(worker, commit, Set.of("orders-w-1"));
            assertThat(worker.commits).hasSize(sent);
        }
    }

    /**
     * Wants other seats to drain and waits until that was sent: behind it nothing is under way that was sent before.
     */
    private void drain(ScriptedCoordinator worker, Commit commit, Set<String> seats) {
        track(new Commands(Optional.of(commit), Optional.empty(), seats, Set.of(), Map.of(), 1000), worker.endpoint());
        awaitDraining(worker, seats);
    }

    private static void awaitDraining(ScriptedCoordinator worker, Set<String> seats) {
        await("a message that %s drain".formatted(seats))
                .atMost(LONG)
                .until(() -> !worker.drainings.isEmpty()
                        && Set.copyOf(worker.drainings.getLast().getSeatsList()).equals(seats));
    }

    @Test
    void formatsAreRaisedUntilTheClusterReportSaysSo() throws Exception {
        ClusterReport before = clusterReport(1, 1).toBuilder()
                .setStoreId("id")
                .setStoreFormat(1)
                .build();
        try (ScriptedCoordinator worker = worker("orders-w-0", before)) {
            Commands raise = new Commands(
                    Optional.empty(), Optional.of(new Commands.Raise("id", 2)), Set.of(), Set.of(), Map.of(), 1000);
            track(raise, worker.endpoint());
            await().atMost(LONG).until(() -> !worker.raises.isEmpty());
            assertThat(worker.raises.get(0).getStoreId()).isEqualTo("id");
            assertThat(worker.raises.get(0).getLevel()).isEqualTo(2);
            worker.say(before.toBuilder().setSeq(2).setStoreFormat(2).build());
            await().atMost(LONG).until(() -> heard().orElseThrow().storeFormat() == 2);
            int sent = 0;
            for (Set<String> seats : List.of(Set.of("orders-w-0"), Set.of("orders-w-1"))) {
                sent = worker.raises.size();
                track(
                        new Commands(
                                Optional.empty(),
                                raise.raise(),
                                seats,
                                Set.of("orders-w-1"),
                                Map.of("orders-w-2", 3L),
                                1000),
                        worker.endpoint());
                // Behind this message nothing is under way that was sent before it.
                awaitDraining(worker, seats);
            }
            assertThat(worker.raises).hasSize(sent);
        }
    }

    @Test
    void anotherWorkerIsAskedWhenOneIsGone() throws Exception {
        ScriptedCoordinator first = worker("orders-w-0", clusterReport(1, 1));
        try (ScriptedCoordinator second = worker("orders-w-1", clusterReport(2, 1))) {
            track(Commands.NONE, first.endpoint());
            await().atMost(LONG).until(() -> heard().isPresent());
            first.close();
            track(Commands.NONE, second.endpoint());
            await().atMost(LONG)
                    .until(() -> heard().map(said -> said.term() == 2).orElse(false));
        }
    }

    @Test
    void aWorkerOfAnotherAuthorityIsNotBelieved() throws Exception {
        try (ScriptedCoordinator stranger =
                        new ScriptedCoordinator(ScriptedCoordinator.authority(), "orders-w-0", clusterReport(9, 1));
                ScriptedCoordinator worker = worker("orders-w-1", clusterReport(1, 1))) {
            track(Commands.NONE, stranger.endpoint(), worker.endpoint());
            await().atMost(LONG).until(() -> heard().isPresent());
            assertThat(heard().orElseThrow().term()).isEqualTo(1);
        }
    }

    private ScriptedCoordinator worker(String seat, ClusterReport first) throws Exception {
        return new ScriptedCoordinator(authority, seat, first);
    }

    private void track(Commands commands, Endpoint... endpoints) {
        links.track(ScriptedCoordinator.CLUSTER, List.of(endpoints), operator, commands);
    }

    private Optional<CoordinatorReport> heard() {
        return links.clusterReport(ScriptedCoordinator.CLUSTER);
    }

    private static ClusterReport clusterReport(long term, long seq) {
        return ClusterReport.newBuilder()
                .setTerm(term)
                .setSeq(seq)
                .setCoordinatorSeat("orders-w-0")
                .build();
    }

    private static ClusterReport clusterReport(long term, long seq, int held) {
        return clusterReport(term, seq).toBuilder()
                .addWorkers(ReportedWorker.newBuilder()
                        .setSeat("orders-w-0")
                        .addSlots(ReportedSlot.newBuilder()
                                .setName("gpu")
                                .setCapacity(50)
                                .setHeld(held)))
                .build();
    }
}
