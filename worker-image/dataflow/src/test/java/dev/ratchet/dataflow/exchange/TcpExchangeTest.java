/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.ratchet.circuits.circuit.PeersLostException;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.MutualTls;
import dev.ratchet.protocol.security.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exchange over TCP, and what networks and strangers do to it. */
class TcpExchangeTest extends ExchangeConformance {

    /** A peer is lost soon. */
    private static final ExchangeSettings HASTY = new ExchangeSettings(1 << 20, 50, 300, 300, 300);

    /** One that falls silent is lost soon; who is slow to join is not, nor who connects again in that time. */
    private static final ExchangeSettings SOON = new ExchangeSettings(1 << 20, 50, 1_000, 5_000, 30_000);

    /** One that can not join is lost after the first attempt, which has all the time that it needs. */
    private static final ExchangeSettings ONCE = new ExchangeSettings(1 << 20, 50, 30_000, 300, 300);

    private final TcpProcesses processes = new TcpProcesses();

    @Override
    ExchangeTransport process(int number) throws IOException {
        return processes.open(number, TcpProcesses.PATIENT);
    }

    @AfterEach
    void close() {
        processes.close();
    }

    @Test
    void bigFramesArriveWholeBothWaysAtOnce() throws Exception {
        List<ExchangeSession> sessions = join(1, 2);
        byte[] big = new byte[6 << 20];
        new Random(7).nextBytes(big);
        Future<ByteBuffer[]> other =
                start(() -> sessions.get(1).exchange(new ByteBuffer[] {ByteBuffer.wrap(big), ByteBuffer.allocate(0)}));
        ByteBuffer direct = ByteBuffer.allocateDirect(big.length).put(big).flip();
        ByteBuffer received = sessions.get(0).exchange(new ByteBuffer[] {ByteBuffer.allocate(0), direct})[1];
        assertThat(received.equals(ByteBuffer.wrap(big))).as("to process 0").isTrue();
        assertThat(get(other)[0].equals(ByteBuffer.wrap(big)))
                .as("to process 1")
                .isTrue();
        assertThat(direct.remaining()).as("a frame is left as it was").isEqualTo(big.length);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void connectionsThatAreCutAnywhereLoseAndRepeatNothing(long seed) throws Exception {
        List<ExchangeTransport> opened = List.of(process(0), process(1), process(2));
        try (CuttingProxy first = new CuttingProxy(opened.get(1).address(), seed, 3, 60_000);
                CuttingProxy second = new CuttingProxy(opened.get(2).address(), seed + 100, 3, 60_000)) {
            List<ExchangePeer> peers = List.of(
                    new ExchangePeer(seat(0), 1, opened.get(0).address()),
                    new ExchangePeer(seat(1), 1, first.address()),
                    new ExchangePeer(seat(2), 1, second.address()));
            List<ExchangeSession> sessions = new ArrayList<>();
            for (int number = 0; number < 3; number++) {
                sessions.add(opened.get(number).join(1, number, peers));
            }
            meet(sessions, 120, 12_000);
            assertThat(first.cutsLeft() + second.cutsLeft()).as("cuts left").isZero();
        }
    }

    @Test
    void aPeerThatFallsSilentBehindAnOpenConnectionIsLost() throws Exception {
        TcpExchange caller = processes.open(0, SOON);
        TcpExchange silent = processes.open(1, SOON);
        try (CuttingProxy proxy = new CuttingProxy(silent.address(), 1, 0, 1)) {
            List<ExchangePeer> peers = List.of(
                    new ExchangePeer(seat(0), 1, caller.address()), new ExchangePeer(seat(1), 1, proxy.address()));
            List<ExchangeSession> sessions = List.of(caller.join(1, 0, peers), silent.join(1, 1, peers));
            meet(sessions, 3, 100);
            Future<ByteBuffer[]> waiting = start(() -> sessions.get(0).exchange(frames(2, 10)));
            proxy.freeze();
            assertThatThrownBy(() -> get(waiting))
                    .hasCauseInstanceOf(PeersLostException.class)
                    .hasMessageContaining("orders-w-1")
                    .hasMessageContaining("no connection for 5000 ms");
            assertLost(sessions.get(1));
        }
    }

    @Test
    void pingsKeepAConnectionThroughALongComputation() throws Exception {
        ExchangeSettings settings = new ExchangeSettings(1 << 20, 20, 400, 30_000, 30_000);
        TcpExchange first = processes.open(0, settings);
        TcpExchange second = processes.open(1, settings);
        try (CuttingProxy proxy = new CuttingProxy(second.address(), 1, 0, 1)) {
            List<ExchangePeer> peers = List.of(
                    new ExchangePeer(seat(0), 1, first.address()), new ExchangePeer(seat(1), 1, proxy.address()));
            List<ExchangeSession> sessions = List.of(first.join(1, 0, peers), second.join(1, 1, peers));
            meet(sessions, 1, 100);
            long pieces = proxy.pieces();
            await().atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .until(() -> proxy.pieces() > pieces + 2 * settings.silentMillis() / settings.pingMillis());
            meet(sessions, 1, 100);
        }
    }

    @Test
    void aProcessThatIsGoneIsLostOnBothSidesOfTheOrder() throws Exception {
        for (int gone = 0; gone < 2; gone++) {
            List<TcpExchange> opened =
                    List.of(processes.open(0, TcpProcesses.PATIENT), processes.open(1, TcpProcesses.PATIENT));
            // Nobody else gets a port that is taken, and nobody listens there.
            try (Socket taken = new Socket()) {
                taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                int port = taken.getLocalPort();
                List<ExchangePeer> peers = new ArrayList<>(peers(opened));
                peers.set(gone, new ExchangePeer(seat(gone), 1, "127.0.0.1:" + port));
                ExchangeSession left = opened.get(1 - gone).join(1, 1 - gone, peers);
                assertThatThrownBy(() -> get(start(() -> left.exchange(frames(2, 1)))))
                        .hasMessageContaining("seat orders-w-" + gone + " at 127.0.0.1:" + port
                                + " is lost: nobody listens there any more");
            }
        }
    }

    @Test
    void anotherIncarnationIsNotTheProcessOfTheRun() throws Exception {
        List<TcpExchange> opened =
                List.of(processes.open(0, TcpProcesses.PATIENT), processes.open(1, TcpProcesses.PATIENT));
        List<ExchangePeer> peers = peers(opened);
        List<ExchangePeer> restarted =
                List.of(peers.get(0), new ExchangePeer(seat(1), 2, opened.get(1).address()));
        ExchangeSession first = opened.get(0).join(1, 0, peers);
        opened.get(1).join(1, 1, restarted);
        assertThatThrownBy(() -> get(start(() -> first.exchange(frames(2, 1)))))
                .hasMessageContaining("it expects another process");
    }

    @Test
    void aRunThatIsOverForOneProcessIsOverForThoseThatComeLater() throws Exception {
        List<TcpExchange> opened =
                List.of(processes.open(0, TcpProcesses.PATIENT), processes.open(1, TcpProcesses.PATIENT));
        opened.get(1).join(9, 1, peers(opened));
        ExchangeSession late = opened.get(0).join(8, 0, peers(opened));
        assertThatThrownBy(() -> get(start(() -> late.exchange(frames(2, 1)))))
                .hasMessageContaining("Run 8 has ended")
                .hasMessageContaining("it is in run 9");
    }

    @Test
    void onlyWorkersOfTheClusterWithACertificateOfItsAuthorityTakePart() throws Exception {
        List<ExchangeSession> refused = new ArrayList<>();
        for (Identity stranger : List.of(
                new Identity("team-a", "orders", Identity.Kind.CLIENT, seat(0)),
                new Identity("team-a", "other", Identity.Kind.WORKER, seat(0)),
                new Identity("team-b", "orders", Identity.Kind.WORKER, seat(0)),
                TcpProcesses.worker(3))) {
            refused.add(joinWithAnHonestOne(processes.open(stranger, HASTY)));
        }
        MutualTls forged = TcpProcesses.certificate(new TestAuthority("orders-ca"), TcpProcesses.worker(0));
        refused.add(joinWithAnHonestOne(processes.open(TcpProcesses.worker(0), forged, HASTY)));
        for (ExchangeSession session : refused) {
            assertLost(session);
        }
        assertThat(joinWithAnHonestOne(processes.open(0, TcpProcesses.PATIENT)).exchange(frames(2, 1)))
                .as("what an honest caller gets")
                .hasSize(2);
    }

    /** Joins a run in which process 1 waits for the worker on seat 0. */
    private ExchangeSession joinWithAnHonestOne(TcpExchange caller) throws IOException {
        TcpExchange honest = processes.open(1, TcpProcesses.PATIENT);
        List<ExchangePeer> peers = peers(List.of(caller, honest));
        ExchangeSession session = honest.join(1, 1, peers);
        start(() -> session.exchange(frames(2, 1)));
        return caller.join(1, 0, peers);
    }

    @Test
    void aWorkerThatAnswersForAnotherSeatIsNotCalled() throws Exception {
        TcpExchange caller = processes.open(0, ONCE);
        TcpExchange other = processes.open(2, TcpProcesses.PATIENT);
        ExchangeSession refused = caller.join(1, 0, peers(List.of(caller, other)));
        assertThatThrownBy(() -> get(start(() -> refused.exchange(frames(2, 1)))))
                .hasMessageContaining("The server is not orders-w-1.team-a.ratchet");
    }

    @Test
    void aFrameAboveTheLimitAndACircuitOfTooManyProcessesAreRefusedWithTheRemedy() throws Exception {
        List<ExchangeSession> sessions = join(1, List.of(processes.open(0, SOON), processes.open(1, SOON)));
        assertThatThrownBy(() -> sessions.get(0).exchange(frames(2, (1 << 20) + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1048576 are possible: make the limits of a step smaller");
        TcpExchange one = processes.open(0, SOON);
        List<ExchangePeer> many = Collections.nCopies(65, new ExchangePeer(seat(0), 1, one.address()));
        assertThatThrownBy(() -> one.join(2, 0, many))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A circuit of 65 processes: at most 64 are possible");
    }

    private void assertLost(ExchangeSession session) throws Exception {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        session.onLost(() -> lost.complete(null));
        get(lost);
        assertThatThrownBy(() -> session.exchange(frames(session.count(), 1))).isInstanceOf(PeersLostException.class);
    }
}
