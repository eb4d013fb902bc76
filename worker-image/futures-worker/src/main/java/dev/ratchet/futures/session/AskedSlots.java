/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.SessionRecord;
import dev.ratchet.protocol.sessions.v1.SlotsAnswer;
import dev.ratchet.protocol.sessions.v1.SlotsRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Sessions that are to be opened and closed in the next round: what comes while one is under way shares the commit of
 * the next. Safe for use by several threads.
 */
final class AskedSlots {

    /** Requests of one round. */
    static final int ROUND_MAX = 200;

    /** What nobody knows the outcome of. */
    static final SlotsAnswer UNKNOWN = SlotsAnswer.getDefaultInstance();

    private final Deque<Asked> queue = new ArrayDeque<>();

    /** A request, and who waits for it. */
    record Asked(SlotsRequest request, CompletableFuture<SlotsAnswer> answer) {}

    /** Adds them: who waits for each, in their order. */
    List<CompletableFuture<SlotsAnswer>> add(List<SlotsRequest> requests) {
        List<Asked> asked = requests.stream()
                .map(request -> new Asked(request, new CompletableFuture<>()))
                .toList();
        synchronized (this) {
            queue.addAll(asked);
        }
        return asked.stream().map(Asked::answer).toList();
    }

    synchronized boolean isEmpty() {
        return queue.isEmpty();
    }

    /** The requests of the next round, in the order in which they came, and at most one of each session. */
    synchronized List<Asked> take() {
        List<Asked> taken = new ArrayList<>();
        Set<ByteString> sessions = new HashSet<>();
        while (!queue.isEmpty()
                && taken.size() < ROUND_MAX
                && sessions.add(id(queue.element().request()))) {
            taken.add(queue.remove());
        }
        return taken;
    }

    /** The session that a request is about. */
    static ByteString id(SlotsRequest request) {
        return request.hasOpen()
                ? request.getOpen().getId()
                : request.getClose().getId();
    }

    /** What a brief answer tells of a session. */
    static SessionRecord brief(SessionRecord session) {
        return SessionRecord.newBuilder()
                .setState(session.getState())
                .setSeat(session.getSeat())
                .setReason(session.getReason())
                .setMessage(session.getMessage())
                .setOwnerSecret(session.getOwnerSecret())
                .build();
    }

    /** The answer to what makes no sense. */
    static SlotsAnswer refusal(IllegalArgumentException why) {
        return SlotsAnswer.newBuilder()
                .setRefusal(String.valueOf(why.getMessage()))
                .build();
    }

    /** @throws IllegalArgumentException if it asks for too much at once, or for what has no id */
    static void requireUsable(AskSlotsRequest request) {
        if (request.getRequestsCount() > ROUND_MAX) {
            throw new IllegalArgumentException(
                    "At most " + ROUND_MAX + " requests are answered at once, not " + request.getRequestsCount() + ".");
        }
        request.getRequestsList().forEach(one -> SessionIds.of(id(one)));
    }

    /** Answers what was taken; what has no answer is not known. */
    static void answer(List<Asked> taken, Map<ByteString, SlotsAnswer> answers) {
        taken.forEach(one -> one.answer().complete(answers.getOrDefault(id(one.request()), UNKNOWN)));
    }

    /** Says of all that wait that nobody knows. */
    void giveUp() {
        List<Asked> all;
        synchronized (this) {
            all = List.copyOf(queue);
            queue.clear();
        }
        answer(all, Map.of());
    }
}
