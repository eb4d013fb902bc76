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
 * What a reader has seen in the parts of others, partition by partition. It is for those whose part it is, and overdue
 * where they have let it lie for {@value #PATIENCE_MILLIS} ms: who takes it then seldom meets them. Where less than
 * half is left somebody is there and goes on, so none of the rest is overdue. In memory only: a reader that has
 * forgotten all of it waits once more. Safe for use by several threads.
 */
final class Overdue {

    /** How long entries are left to those whose part they lie in: longer than one of their claims takes. */
    static final long PATIENCE_MILLIS = 20;

    /** Partitions remembered, the latest ones. */
    private static final int PARTITIONS_MAX = 64;

    private final Map<Tuple, Seen> partitions = new LinkedHashMap<>();

    private record Seen(NavigableSet<byte[]> keys, long sinceNanos) {}

    /** Remembers what is there now, in place of what was before. */
    synchronized void see(Tuple partition, List<QueueEntry> entries, long nowNanos) {
        partitions.remove(partition);
        if (entries.isEmpty()) {
            return;
        }
        NavigableSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        entries.forEach(entry -> keys.add(entry.key()));
        partitions.put(partition, new Seen(keys, nowNanos));
        if (partitions.size() > PARTITIONS_MAX) {
            partitions.remove(partitions.keySet().iterator().next());
        }
    }

    /** Whether something was seen in the partition so short a time ago that others are still given time. */
    synchronized boolean isTooEarly(Tuple partition, long nowNanos) {
        Seen seen = partitions.get(partition);
        return seen != null && nowNanos - seen.sinceNanos() < PATIENCE_MILLIS * 1_000_000;
    }

    /** Where to look for what was seen in the partition; nothing where nothing was. */
    synchronized Optional<Range> range(Tuple partition) {
        return Optional.ofNullable(partitions.get(partition))
                .map(seen -> new Range(
                        seen.keys().first(), ByteArrayUtil.join(seen.keys().last(), new byte[1])));
    }

    /** How much was seen in the partition. */
    synchronized int size(Tuple partition) {
        Seen seen = partitions.get(partition);
        return seen == null ? 0 : seen.keys().size();
    }

    /** Of what is there now what was there before, where that is half of it at least; nothing otherwise. */
    synchronized List<QueueEntry> overdue(Tuple partition, List<QueueEntry> now) {
        Seen seen = partitions.get(partition);
        if (seen == null) {
            return List.of();
        }
        List<QueueEntry> left =
                now.stream().filter(entry -> seen.keys().contains(entry.key())).toList();
        return 2 * left.size() < seen.keys().size() ? List.of() : left;
    }

    /** Says that the reader takes these itself. */
    synchronized void taken(Tuple partition, List<QueueEntry> entries) {
        Seen seen = partitions.get(partition);
        if (seen != null) {
            entries.forEach(entry -> seen.keys().remove(entry.key()));
            if (seen.keys().isEmpty()) {
                partitions.remove(partition);
            }
        }
    }

    /** Gives others time again, whatever was seen. */
    synchronized void forget() {
        partitions.clear();
    }
}
