/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.circuits.sample;

import dev.ratchet.circuits.batch.HashRanges;
import dev.ratchet.circuits.batch.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random maps of shards. */
public final class ShardMaps {

    private ShardMaps() {}

    /** Now and then equal shares; otherwise uneven ones of any number of runs each, of up to 32 shards for a thread. */
    public static ShardMap random(SplittableRandom random, int threads) {
        int shards = leastShards(threads) << random.nextInt(6);
        return random.nextInt(5) == 0
                ? ShardMap.equal(shards, threads)
                : ShardMap.of(shards, threads, runs(owners(random, shards, threads)));
    }

    private static int leastShards(int threads) {
        return Integer.highestOneBit(2 * threads - 1);
    }

    /** Each thread owns one at least; some own many more than others. */
    private static int[] owners(SplittableRandom random, int shards, int threads) {
        int[] owners = new int[shards];
        int favoured = random.nextInt(threads);
        for (int shard = 0; shard < shards; shard++) {
            owners[shard] = random.nextInt(3) == 0 ? favoured : random.nextInt(threads);
        }
        List<Integer> places = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            places.add(random.nextInt(shard + 1), shard);
        }
        for (int thread = 0; thread < threads; thread++) {
            owners[places.get(thread)] = thread;
        }
        return owners;
    }

    /** A run for each shard. */
    public static List<ShardMap.Run> runs(int[] owners) {
        List<ShardMap.Run> runs = new ArrayList<>();
        for (int shard = 0; shard < owners.length; shard++) {
            runs.add(new ShardMap.Run(shard, owners[shard]));
        }
        return runs;
    }

    /** The hashes that the worker threads of a process own. */
    public static HashRanges ofProcess(ShardMap map, int threadsOfProcess, int process) {
        HashRanges others = HashRanges.ALL;
        for (int thread = process * threadsOfProcess; thread < (process + 1) * threadsOfProcess; thread++) {
            others = others.minus(map.ranges(thread));
        }
        return others.complement();
    }
}
