/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ratchet.membership.Member;
import dev.ratchet.membership.SeatWatch;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.BeatRecord;
import dev.ratchet.protocol.membership.v1.MemberRecord;
import dev.ratchet.protocol.membership.v1.State;
import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerTransportFilter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighboursTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Seats, all of which live; remembers who is suspected. */
    private static final class Seats implements SeatWatch {

        private final List<Member> members;
        private final Set<String> dead;
        private final Set<String> suspected = ConcurrentHashMap.newKeySet();

        Seats(List<Member> members, Set<String> dead) {
            this.members = members;
            this.dead = dead;
        }

        @Override
        public boolean isDead(String seat, long incarnation) {
            return dead.contains(seat);
        }

        @Override
        public void suspect(String seat, long incarnation) {
            suspected.add(seat + "/" + incarnation);
        }

        @Override
        public void suspectHolder(String seat) {
            suspected.add(seat);
        }

        @Override
        public void onRead(Consumer<List<Member>> listener) {}

        @Override
        public List<Member> latest() {
            return members;
        }

        @Override
        public void addListener(DeathListener listener) {}
    }

    @Test
    void aSeatWhoseConnectionBreaksIsLookedAtAtOnce() throws Exception {
        Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .build()
                .start();
        ManagedChannel channel = Grpc.newChannelBuilder(
                        "127.0.0.1:" + server.getPort(), InsecureChannelCredentials.create())
                .build();
        try {
            Seats seats = new Seats(List.of(member("w-1"), member("w-2")), Set.of());
            Neighbours neighbours = new Neighbours("w-1", seats, member -> channel);
            neighbours.start();
            Awaitility.await().atMost(LIMIT).until(() -> channel.getState(false) == ConnectivityState.READY);
            assertThat(seats.suspected).isEmpty();

            server.shutdownNow();

            Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(seats.suspected)
                    .containsExactly("w-2/7"));
            neighbours.stop();
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    @Test
    void aSeatThatNobodyHasReadOfYetIsLookedAtWhenItsOwnConnectionsBreak(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates();
        MutualTls watching = certificates.of(directory, "w-1");
        MutualTls unknown = certificates.of(directory, "w-9");
        Seats seats = new Seats(List.of(), Set.of());
        Neighbours neighbours = new Neighbours("w-1", seats, member -> fail("nobody is known"));
        CountDownLatch known = new CountDownLatch(1);
        Server server = watching.serverBuilder(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new CallerPolicy("team-a", "orders", Map.of()))
                .addTransportFilter(neighbours.incoming())
                .addTransportFilter(new ServerTransportFilter() {
                    @Override
                    public Attributes transportReady(Attributes connection) {
                        known.countDown();
                        return connection;
                    }
                })
                .build()
                .start();
        ManagedChannel channel = unknown.channelBuilder(
                        "127.0.0.1:" + server.getPort(), Identity.authority("w-1", "team-a"))
                .build();
        try {
            channel.getState(true);
            assertThat(known.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the server knows of the connection")
                    .isTrue();
            assertThat(seats.suspected).isEmpty();

            channel.shutdownNow();

            Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(seats.suspected)
                    .containsExactly("w-9"));
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    @Test
    void everybodyIsWatchedByTheTwoBeforeIt() {
        List<Member> five =
                IntStream.range(0, 5).mapToObj(n -> member("w-" + n)).toList();

        assertThat(next("w-1", five, Set.of())).containsExactly("w-2", "w-3");
        assertThat(next("w-3", five, Set.of())).containsExactly("w-4", "w-0");
        assertThat(next("w-4", five, Set.of("w-0"))).containsExactly("w-1", "w-2");
        assertThat(next("w-0", five.subList(0, 1), Set.of())).isEmpty();
    }

    private static List<String> next(String own, List<Member> members, Set<String> dead) {
        return Neighbours.next(own, new Seats(members, dead)).stream()
                .map(Member::seat)
                .toList();
    }

    private static Member member(String seat) {
        return StoredMembers.member(
                seat,
                MemberRecord.newBuilder()
                        .setIncarnation(7)
                        .setState(State.STATE_HEALTHY)
                        .build(),
                BeatRecord.getDefaultInstance());
    }
}
