/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * What can not be sent yet because something of it is still being uploaded, and what must not be sent before that: its
 * dependents, and later calls of the same actor. Nothing else waits for an upload. Used by one thread at a time.
 */
final class HeldBack {

    private final Map<FutureId, Held> held = new HashMap<>();
    private final Map<ByteString, Held> latestCalls = new HashMap<>();

    /** One that waits for its own upload, for others that are held, or for both. */
    static final class Held {
        private final long number;
        private final Pending pending;
        private final List<Held> behind = new ArrayList<>();
        private int awaited;

        private Held(long number, Pending pending, int awaited) {
            this.number = number;
            this.pending = pending;
            this.awaited = awaited;
        }
    }

    /**
     * Holds what can not be sent yet; nothing where it can.
     *
     * @param number its place in the order of submits
     * @param uploading whether {@link #uploaded} will be called once its own upload has ended
     */
    Optional<Held> hold(long number, Pending pending, boolean uploading) {
        if (held.isEmpty() && !uploading) {
            return Optional.empty();
        }
        ByteString actor = pending.future().getActor();
        Set<Held> before = new LinkedHashSet<>();
        Stream.concat(
                        Stream.of(pending.id()),
                        pending.future().getUpstreamsList().stream().map(upstream -> BlockIds.sentAs(Ids.of(upstream))))
                .map(held::get)
                .filter(Objects::nonNull)
                .forEach(before::add);
        Held call = latestCalls.get(actor);
        if (call != null) {
            before.add(call);
        }
        if (before.isEmpty() && !uploading) {
            return Optional.empty();
        }
        Held one = new Held(number, pending, before.size() + (uploading ? 1 : 0));
        before.forEach(other -> other.behind.add(one));
        held.put(pending.id(), one);
        if (!actor.isEmpty()) {
            latestCalls.put(actor, one);
        }
        return Optional.of(one);
    }

    /** An upload has ended, well or not: what can be sent now goes to {@code sendable} with its number. */
    void uploaded(Held one, BiConsumer<Long, Pending> sendable) {
        Deque<Held> ended = new ArrayDeque<>(List.of(one));
        for (Held next = ended.poll(); next != null; next = ended.poll()) {
            if (--next.awaited == 0) {
                held.remove(next.pending.id(), next);
                latestCalls.remove(next.pending.future().getActor(), next);
                sendable.accept(next.number, next.pending);
                ended.addAll(next.behind);
            }
        }
    }

    Stream<Pending> all() {
        return held.values().stream().map(one -> one.pending);
    }
}
