/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.store.engine.CommittedBatch;
import dev.ratchet.store.engine.StartingPoint;
import dev.ratchet.store.ordered.GatedPages;
import dev.ratchet.store.ordered.OrderedTree;
import dev.ratchet.store.ordered.PagedTrees;
import dev.ratchet.store.ordered.TreeEditor;
import dev.ratchet.store.transaction.Mutation;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A log is made again on data that rest on pages. */
class ReplayTest {

    private static final int KEYS = 3_000;
    /** Two keys that are half as far apart rest on different pages. */
    private static final int APART = 100;

    private static final int READS_AT_ONCE = 3;

    private final ExecutorService threads = Executors.newFixedThreadPool(READS_AT_ONCE - 1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static byte[] key(int number) {
        return new byte[] {1, (byte) (number >>> 8), (byte) number};
    }

    private static byte[] value(int number) {
        return Arrays.copyOf(key(number), 100);
    }

    private static Mutation set(int number, int value) {
        return new Mutation(Mutation.SET, key(number), value(value));
    }

    private static CommittedBatch batch(long version, Mutation... changes) {
        return new CommittedBatch(version, version + 1_000, List.of(changes), List.of());
    }

    @Test
    void thePagesThatItChangesAreReadSeveralAtATime() throws IOException {
        GatedPages store = new GatedPages();
        TreeEditor<byte[]> editor =
                OrderedTree.<byte[]>empty(StartingPoint::weigh).edit();
        for (int i = 0; i < KEYS; i++) {
            editor.put(key(i), value(i));
        }
        PagedTrees.Root root = new PagedTrees(store, 1 << 20, StartingPoint::weigh).rest(editor.freeze(), 0);
        PagedTrees trees = new PagedTrees(store, 1 << 20, StartingPoint::weigh);
        OrderedTree<byte[]> cold = trees.open(root);
        for (int i = APART / 2; i < KEYS; i += APART) {
            assertThat(cold.get(key(i))).as("brings what is above the pages").isEqualTo(value(i));
        }
        store.shutUntil(READS_AT_ONCE);

        StoreState state = StoreState.first();
        PageFiles files = new PageFiles(new CrashingDisk(1), state, 1 << 20);
        Replay replay = new Replay(new Replay.Base(cold, 10, 500, Map.of()), new Pages(files, trees, 1 << 20), threads);
        replay.add(batch(10, set(5, 99)));
        for (int i = 0; i < KEYS; i += APART) {
            replay.add(batch(11 + i, set(i, i + 1)));
        }
        replay.add(batch(9_000, new Mutation(Mutation.CLEAR_RANGE, key(1_000), key(2_000))));
        StartingPoint start = replay.end();

        assertThat(start.version()).isEqualTo(10_001);
        assertThat(start.data().get(key(5)))
                .as("the base has that batch already")
                .isEqualTo(value(5));
        assertThat(start.data().get(key(900))).isEqualTo(value(901));
        assertThat(start.data().get(key(1_500))).isNull();
        assertThat(start.data().get(key(2_000))).isEqualTo(value(2_001));
        assertThat(start.data().get(key(2_001))).isEqualTo(value(2_001));
    }
}
