/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import dev.ratchet.environment.Environment;
import dev.ratchet.membership.Liveness;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.Peers;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.SessionSlotsGrpc;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Passes on what clients ask of sessions to the workers whose slots it is about. What comes while another worker is
 * being asked goes there together in the next call. One that has not answered is left alone for a while. Safe for use
 * by several threads.
 */
final class SlotsCaller {

    /** Whoever has not answered by then may be dead, and the store tells what it has done. */
    private static final long ANSWER_SECONDS = 3;

    /** For so long nobody waits for a worker again that has not answered. */
    private static final long SILENT_NANOS = 10_000_000_000L;

    /** Calls of one worker at a time: one on its way while it works on the other. */
    private static final int CALLS_MAX = 2;

    private final Peers peers;
    private final Liveness liveness;
    private final SessionHolder holder;
    private final String seat;
    private final Environment environment;
    private final Map<String, Line> lines = new HashMap<>();

    /** @param holder the sessions of this worker, and {@code seat} where that is */
    SlotsCaller(Peers peers, Liveness liveness, SessionHolder holder, String seat, Environment environment) {
        this.peers = peers;
        this.liveness = liveness;
        this.holder = holder;
        this.seat = seat;
        this.environment = environment;
    }

    /** What waits for one worker, how many calls are on their way there, and whether the last one had no answer. */
    private static final class Line {
        private final Deque<AskedSlots.Asked> waiting = new ArrayDeque<>();
        private int calls;
        private Optional<Silence> silence = Optional.empty();
    }

    private record Silence(String address, long sinceNanos) {}

    /**
     * Asks the worker on a seat.
     *
     * @return its answers, in the order of the requests; empty where the store has to tell what has become of the
     *     session. Never fails
     */
    List<CompletableFuture<SlotsAnswer>> ask(String to, List<SlotsRequest> requests) {
        if (to.equals(seat)) {
            return holder.ask(requests);
        }
        Optional<Member> worker = liveness.latest().stream()
                .filter(member -> member.seat().equals(to) && member.isPresent() && !member.ended())
                .findFirst();
        if (worker.isEmpty() || isSilent(worker.get())) {
            return requests.stream()
                    .map(unused -> CompletableFuture.completedFuture(AskedSlots.UNKNOWN))
                    .toList();
        }
        List<AskedSlots.Asked> asked = requests.stream()
                .map(request -> new AskedSlots.Asked(request, new CompletableFuture<>()))
                .toList();
        synchronized (this) {
            lines.computeIfAbsent(to, unused -> new Line()).waiting.addAll(asked);
        }
        callNext(to, worker.get().address());
        return asked.stream().map(AskedSlots.Asked::answer).toList();
    }

    /** Whether a worker has not answered lately. */
    synchronized boolean isSilent(Member worker) {
        Line line = lines.get(worker.seat());
        return line != null
                && line.silence
                        .filter(one -> one.address().equals(worker.address())
                                && environment.nanoTime() - one.sinceNanos() < SILENT_NANOS)
                        .isPresent();
    }

    private void callNext(String to, String address) {
        List<AskedSlots.Asked> next = next(to);
        if (!next.isEmpty()) {
            call(to, address, next);
        }
    }

    private synchronized List<AskedSlots.Asked> next(String to) {
        Line line = lines.get(to);
        List<AskedSlots.Asked> next = new ArrayList<>();
        if (line == null || line.calls == CALLS_MAX) {
            return next;
        }
        while (!line.waiting.isEmpty() && next.size() < AskedSlots.ROUND_MAX) {
            next.add(line.waiting.remove());
        }
        if (!next.isEmpty()) {
            line.calls++;
        }
        return next;
    }

    private synchronized void ended(String to, String address, boolean isAnswered) {
        Line line = lines.get(to);
        if (line != null) {
            line.calls--;
            line.silence = isAnswered ? Optional.empty() : Optional.of(new Silence(address, environment.nanoTime()));
        }
    }

    private void call(String to, String address, List<AskedSlots.Asked> asked) {
        AskSlotsRequest.Builder request = AskSlotsRequest.newBuilder();
        asked.forEach(one -> request.addRequests(one.request()));
        SessionSlotsGrpc.newStub(peers.channel(to, address))
                .withDeadlineAfter(ANSWER_SECONDS, TimeUnit.SECONDS)
                .ask(request.build(), new StreamObserver<>() {
                    private AskSlotsReply reply = AskSlotsReply.getDefaultInstance();

                    @Override
                    public void onNext(AskSlotsReply value) {
                        reply = value;
                    }

                    @Override
                    public void onError(Throwable failure) {
                        over(AskSlotsReply.getDefaultInstance());
                    }

                    @Override
                    public void onCompleted() {
                        over(reply);
                    }

                    private void over(AskSlotsReply answered) {
                        ended(to, address, answered.getAnswersCount() > 0);
                        callNext(to, address);
                        for (int i = 0; i < asked.size(); i++) {
                            boolean isThere = i < answered.getAnswersCount();
                            asked.get(i).answer().complete(isThere ? answered.getAnswers(i) : AskedSlots.UNKNOWN);
                        }
                    }
                });
    }
}
