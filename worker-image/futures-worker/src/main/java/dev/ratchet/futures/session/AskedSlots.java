/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.session;

import com.google.protobuf.ByteString;
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

    CompletableFuture<SlotsAnswer> add(SlotsRequest request) {
        Asked asked = new Asked(request, new CompletableFuture<>());
        synchronized (this) {
            queue.add(asked);
        }
        return asked.answer();
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
