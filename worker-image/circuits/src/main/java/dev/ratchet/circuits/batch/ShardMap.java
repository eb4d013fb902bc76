/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which worker thread owns each shard. The shards cut the hashes into equal ranges; a thread may own any of them, and
 * owns at least one. Threads have numbers from 0. Immutable.
 */
public final class ShardMap {

    public static final int SHARDS_MAX = 1 << 16;

    /**
     * Consecutive shards that one thread owns.
     *
     * @param firstShard the first of them; the last is the one before the next run
     * @param thread the owner
     */
    public record Run(int firstShard, int thread) {}

    private final int[] owners;

    /** For each shard the last hash of the run that it is in. */
    private final long[] lastHashes;

    private final List<Run> runs;
    private final List<HashRanges> rangesByThread;

    private ShardMap(int[] owners, int threads) {
        this.owners = owners;
        this.lastHashes = new long[owners.length];
        List<Run> found = new ArrayList<>();
        List<List<HashRange>> ranges = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            ranges.add(new ArrayList<>());
        }
        int end = 0;
        for (int first = 0; first < owners.length; first = end) {
            while (end < owners.length && owners[end] == owners[first]) {
                end++;
            }
            HashRange range = HashRange.ofShards(first, end, owners.length);
            Arrays.fill(lastHashes, first, end, range.last());
            found.add(new Run(first, owners[first]));
            ranges.get(owners[first]).add(range);
        }
        this.runs = List.copyOf(found);
        this.rangesByThread = ranges.stream().map(HashRanges::new).toList();
    }

    /**
     * One run of shards for each thread, as equal as they can be.
     *
     * @throws IllegalArgumentException where the number of shards is no power of two up to {@value #SHARDS_MAX}, or
     *     there are more threads than shards
     */
    public static ShardMap equal(int shards, int threads) {
        checkCounts(shards, threads);
        int[] owners = new int[shards];
        for (int thread = 0; thread < threads; thread++) {
            Arrays.fill(
                    owners, firstOfEqual(thread, shards, threads), firstOfEqual(thread + 1, shards, threads), thread);
        }
        return new ShardMap(owners, threads);
    }

    private static int firstOfEqual(int thread, int shards, int threads) {
        return (int) ((long) thread * shards / threads);
    }

    /**
     * The map of some runs, which begin at shard 0 and ascend.
     *
     * @throws IllegalArgumentException where the number of shards is no power of two up to {@value #SHARDS_MAX}, a
     *     shard has no owner or one that is no thread, or a thread owns no shard
     */
    public static ShardMap of(int shards, int threads, List<Run> runs) {
        checkCounts(shards, threads);
        if (runs.isEmpty() || runs.get(0).firstShard() != 0) {
            throw new IllegalArgumentException("Shard 0 of " + shards + " has no owner: the runs begin "
                    + (runs.isEmpty() ? "nowhere" : "at shard " + runs.get(0).firstShard())
                    + "; let the first one begin at shard 0");
        }
        int[] owners = new int[shards];
        BitSet owning = new BitSet();
        for (int number = 0; number < runs.size(); number++) {
            Run run = runs.get(number);
            int end = number + 1 < runs.size() ? runs.get(number + 1).firstShard() : shards;
            if (end <= run.firstShard() || end > shards) {
                throw new IllegalArgumentException("The run at shard " + run.firstShard() + " of " + shards
                        + " ends before shard " + end + "; runs ascend, and begin below the number of shards");
            }
            if (run.thread() < 0 || run.thread() >= threads) {
                throw new IllegalArgumentException("The owner of shards " + run.firstShard() + " to " + (end - 1)
                        + " is thread " + run.thread() + "; choose one from 0 to " + (threads - 1));
            }
            Arrays.fill(owners, run.firstShard(), end, run.thread());
            owning.set(run.thread());
        }
        int idle = owning.nextClearBit(0);
        if (idle < threads) {
            throw new IllegalArgumentException("Thread " + idle + " of " + threads + " owns none of the " + shards
                    + " shards; give it one, or take fewer threads");
        }
        return new ShardMap(owners, threads);
    }

    private static void checkCounts(int shards, int threads) {
        if (shards < 1 || shards > SHARDS_MAX || Integer.bitCount(shards) != 1) {
            throw new IllegalArgumentException(
                    "A map of " + shards + " shards; choose a power of two from 1 to " + SHARDS_MAX);
        }
        if (threads < 1 || threads > shards) {
            throw new IllegalArgumentException("A map of " + shards + " shards for " + threads
                    + " threads; each of at least one thread owns a shard: choose more shards or fewer threads");
        }
    }

    public int shards() {
        return owners.length;
    }

    public int threads() {
        return rangesByThread.size();
    }

    /** The fewest runs that make the map. */
    public List<Run> runs() {
        return runs;
    }

    /** The hashes of a thread. */
    public HashRanges ranges(int thread) {
        return rangesByThread.get(thread);
    }

    /** The thread of each shard; not to be changed. */
    int[] owners() {
        return owners;
    }

    /** The last hash of the run that a shard is in. */
    long lastHash(int shard) {
        return lastHashes[shard];
    }
}
