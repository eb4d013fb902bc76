/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.queue;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.tuple.ByteArrayUtil;
import com.apple.foundationdb.tuple.Tuple;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a reader has seen in the parts of others, lane by lane. It is for those whose part it is, and overdue where they
 * have let it lie for {@value #PATIENCE_MILLIS} ms: who takes it then seldom meets them. Where less than half is left
 * somebody is there and goes on, so none of the rest is overdue. In memory only: a reader that has forgotten all of it
 * waits once more. Safe for use by several threads.
 */
final class Overdue {

    /** How long entries are left to those whose part they lie in: longer than one of their claims takes. */
    static final long PATIENCE_MILLIS = 20;

    /** Lanes remembered, the latest ones. */
    private static final int LANES_MAX = 64;

    private final Map<Tuple, Seen> lanes = new LinkedHashMap<>();

    private record Seen(NavigableSet<byte[]> keys, long sinceNanos) {}

    /** Remembers what is there now, in place of what was before. */
    synchronized void see(Tuple lane, List<QueueEntry> entries, long nowNanos) {
        lanes.remove(lane);
        if (entries.isEmpty()) {
            return;
        }
        NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        entries.forEach(entry -> keys.add(entry.key()));
        lanes.put(lane, new Seen(keys, nowNanos));
        if (lanes.size() > LANES_MAX) {
            lanes.remove(lanes.keySet().iterator().next());
        }
    }

    /** Whether something was seen in the lane so short a time ago that others are still given time. */
    synchronized boolean isTooEarly(Tuple lane, long nowNanos) {
        Seen seen = lanes.get(lane);
        return seen != null && nowNanos - seen.sinceNanos() < PATIENCE_MILLIS * 1_000_000;
    }

    /** Where to look for what was seen in the lane; nothing where nothing was. */
    synchronized Optional<Range> range(Tuple lane) {
        return Optional.ofNullable(lanes.get(lane))
                .map(seen -> new Range(
                        seen.keys().first(), ByteArrayUtil.join(seen.keys().last(), new byte[1])));
    }

    /** How much was seen in the lane. */
    synchronized int size(Tuple lane) {
        Seen seen = lanes.get(lane);
        return seen == null ? 0 : seen.keys().size();
    }

    /** Of what is there now what was there before, where that is half of it at least; nothing otherwise. */
    synchronized List<QueueEntry> overdue(Tuple lane, List<QueueEntry> now) {
        Seen seen = lanes.get(lane);
        if (seen == null) {
            return List.of();
        }
        List<QueueEntry> left =
                now.stream().filter(entry -> seen.keys().contains(entry.key())).toList();
        return 2 * left.size() < seen.keys().size() ? List.of() : left;
    }

    /** Says that the reader takes these itself. */
    synchronized void taken(Tuple lane, List<QueueEntry> entries) {
        Seen seen = lanes.get(lane);
        if (seen != null) {
            entries.forEach(entry -> seen.keys().remove(entry.key()));
            if (seen.keys().isEmpty()) {
                lanes.remove(lane);
            }
        }
    }

    /** Gives others time again, whatever was seen. */
    synchronized void forget() {
        lanes.clear();
    }
}
