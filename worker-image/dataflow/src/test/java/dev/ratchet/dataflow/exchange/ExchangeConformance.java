/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ratchet.circuits.circuit.PeersLostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link ExchangeTransport} does. */
abstract class ExchangeConformance {

    static final long LIMIT_SECONDS = 20;

    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** A process that has not joined anything, reachable by all that were made before and after. */
    abstract ExchangeTransport process(int number) throws Exception;

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void atEachMeetingEachProcessGetsWhatEachOtherOneHasSentToIt() throws Exception {
        List<ExchangeSession> sessions = join(1, 4);
        meet(sessions, 200, 64);
        sessions.forEach(ExchangeSession::close);
    }

    @Test
    void framesOfAllSizesAndEmptyOnesKeepTheirOrder() throws Exception {
        List<ExchangeSession> sessions = join(1, 2);
        meet(sessions, 40, 300_000);
        sessions.forEach(ExchangeSession::close);
    }

    @Test
    void theFrameOfAProcessForItselfIsHandedOnAsItIs() throws Exception {
        List<ExchangeSession> sessions = join(1, 2);
        ByteBuffer own = ByteBuffer.allocate(8);
        Future<ByteBuffer[]> other = threads.submit(() -> sessions.get(1).exchange(frames(2, 0)));
        assertThat(sessions.get(0).exchange(new ByteBuffer[] {own, ByteBuffer.allocate(0)})[0])
                .isSameAs(own);
        assertThat(get(other)).hasSize(2);
    }

    @Test
    void theFirstMeetingWaitsUntilAllHaveJoined() throws Exception {
        List<ExchangeTransport> processes = List.of(process(0), process(1), process(2));
        List<ExchangePeer> peers = peers(processes);
        ExchangeSession first = processes.get(0).join(3, 0, peers);
        Future<ByteBuffer[]> early = threads.submit(() -> first.exchange(frames(3, 1)));
        ExchangeSession second = processes.get(1).join(3, 1, peers);
        Future<ByteBuffer[]> middle = threads.submit(() -> second.exchange(frames(3, 1)));
        assertThat(early.isDone()).isFalse();
        ExchangeSession third = processes.get(2).join(3, 2, peers);
        third.exchange(frames(3, 1));
        get(early);
        get(middle);
    }

    @Test
    void whoeverWaitsIsToldWhenAnotherProcessLeaves() throws Exception {
        List<ExchangeSession> sessions = join(1, 3);
        meet(sessions, 1, 10);
        CountDownLatch told = new CountDownLatch(3);
        sessions.forEach(session -> session.onLost(told::countDown));
        Future<ByteBuffer[]> waiting = threads.submit(() -> sessions.get(0).exchange(frames(3, 5)));
        sessions.get(2).close();
        assertThatThrownBy(() -> get(waiting)).hasCauseInstanceOf(PeersLostException.class);
        assertThat(told.await(LIMIT_SECONDS, TimeUnit.SECONDS))
                .as("all three have been told of the end of the run")
                .isTrue();
        assertThatThrownBy(() -> sessions.get(1).exchange(frames(3, 5))).isInstanceOf(PeersLostException.class);
        CompletableFuture<Void> late = new CompletableFuture<>();
        sessions.get(1).onLost(() -> late.complete(null));
        assertThat(late).as("who asks later is told at once").isDone();
    }

    @Test
    void ofTwoRunsTheHigherOneIsInForce() throws Exception {
        List<ExchangeTransport> processes = List.of(process(0), process(1));
        List<ExchangePeer> peers = peers(processes);
        List<ExchangeSession> former = join(4, processes);
        meet(former, 2, 10);
        Future<ByteBuffer[]> waiting = threads.submit(() -> former.get(0).exchange(frames(2, 5)));
        List<ExchangeSession> latter = join(5, processes);
        assertThatThrownBy(() -> get(waiting)).hasCauseInstanceOf(PeersLostException.class);
        meet(latter, 10, 10);
        ExchangeSession late = processes.get(0).join(4, 0, peers);
        assertThatThrownBy(() -> late.exchange(frames(2, 5))).isInstanceOf(PeersLostException.class);
        meet(latter, 10, 10);
    }

    /** All processes meet so often with frames up to a length, and each verifies all that it gets. */
    final void meet(List<ExchangeSession> sessions, int meetings, int lengthLimit) throws Exception {
        List<Future<Void>> ends = new ArrayList<>();
        for (ExchangeSession session : sessions) {
            ends.add(threads.submit(() -> {
                for (int meeting = 0; meeting < meetings; meeting++) {
                    meetOnce(session, meeting, lengthLimit);
                }
                return null;
            }));
        }
        for (Future<Void> end : ends) {
            get(end);
        }
    }

    private static void meetOnce(ExchangeSession session, int meeting, int lengthLimit) {
        int count = session.count();
        ByteBuffer[] frames = new ByteBuffer[count];
        for (int peer = 0; peer < count; peer++) {
            frames[peer] = frame(session.self(), peer, meeting, lengthLimit);
        }
        ByteBuffer[] received = session.exchange(frames);
        for (int peer = 0; peer < count; peer++) {
            assertThat(received[peer])
                    .as("meeting %s, from %s to %s", meeting, peer, session.self())
                    .isEqualTo(frame(peer, session.self(), meeting, lengthLimit));
        }
    }

    /** What a process sends to another one at a meeting: as random as can be known on the other side. */
    private static ByteBuffer frame(int from, int to, int meeting, int lengthLimit) {
        Random random = new Random(meeting * 10_000L + from * 100L + to);
        byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(lengthLimit)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    static ByteBuffer[] frames(int count, int bytes) {
        ByteBuffer[] frames = new ByteBuffer[count];
        for (int peer = 0; peer < count; peer++) {
            frames[peer] = ByteBuffer.allocate(bytes);
        }
        return frames;
    }

    final List<ExchangeSession> join(long run, int count) throws Exception {
        List<ExchangeTransport> processes = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            processes.add(process(number));
        }
        return join(run, processes);
    }

    static List<ExchangeSession> join(long run, List<ExchangeTransport> processes) {
        List<ExchangeSession> sessions = new ArrayList<>();
        for (int number = 0; number < processes.size(); number++) {
            sessions.add(processes.get(number).join(run, number, peers(processes)));
        }
        return sessions;
    }

    static List<ExchangePeer> peers(List<? extends ExchangeTransport> processes) {
        List<ExchangePeer> peers = new ArrayList<>();
        for (int number = 0; number < processes.size(); number++) {
            peers.add(new ExchangePeer(seat(number), 1, processes.get(number).address()));
        }
        return peers;
    }

    static String seat(int number) {
        return "orders-w-" + number;
    }

    final <T> Future<T> start(Callable<T> task) {
        return threads.submit(task);
    }

    static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
