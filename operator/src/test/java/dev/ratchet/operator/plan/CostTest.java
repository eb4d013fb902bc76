/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.operator.observe.Snapshot;
import dev.ratchet.operator.reconcile.ClusterStatuses;
import dev.ratchet.operator.world.World;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a reconcile costs, counted in objects looked at, of clusters of several sizes. */
class CostTest {
    private static final int WORKERS = 60;

    @Test
    void aReconcileOfTwiceAsManyWorkersLooksAtTwiceAsManyObjects() {
        long few = looks(WORKERS, 0);
        long many = looks(2 * WORKERS, 0);
        assertThat(many)
                .as("looks of %d workers, after %d of half as many", 2 * WORKERS, few)
                .isBetween(few, few * 22 / 10);
    }

    @Test
    void soDoesOneWhileHalfOfThemLeave() {
        long few = looks(WORKERS, WORKERS / 2);
        long many = looks(2 * WORKERS, WORKERS);
        assertThat(many)
                .as("looks of %d workers, after %d of half as many", 2 * WORKERS, few)
                .isBetween(few, few * 22 / 10);
    }

    private static long looks(int workers, int leaving) {
        World world = new World();
        world.scale(workers);
        world.settle();
        if (leaving > 0) {
            world.scale(workers - leaving);
            world.reconcile();
            world.reconcile();
        }
        AtomicLong looks = new AtomicLong();
        Snapshot counted = counted(world.snapshot(), looks);
        ClusterStatuses.of(counted, world.plan(counted));
        return looks.get();
    }

    private static Snapshot counted(Snapshot from, AtomicLong looks) {
        return new Snapshot(
                from.cluster(),
                from.now(),
                from.clusterReport(),
                from.revisions(),
                new CountedMap<>(from.workers(), looks),
                from.layouts(),
                new CountedMap<>(from.pods(), looks),
                new CountedMap<>(from.claims(), looks),
                new CountedMap<>(from.secrets(), looks),
                from.services(),
                from.configs(),
                from.policies(),
                from.userAuthority(),
                from.program(),
                from.certificates(),
                from.retryPods(),
                from.surroundings(),
                from.remains());
    }

    /** Counts each element that is asked for or passed. */
    private static final class CountedMap<V> extends AbstractMap<String, V> {
        private final Map<String, V> map;
        private final AtomicLong looks;

        CountedMap(Map<String, V> map, AtomicLong looks) {
            this.map = map;
            this.looks = looks;
        }

        @Override
        public @Nullable V get(Object key) {
            looks.incrementAndGet();
            return map.get(key);
        }

        @Override
        public boolean containsKey(Object key) {
            looks.incrementAndGet();
            return map.containsKey(key);
        }

        @Override
        public Set<Entry<String, V>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, V>> iterator() {
                    Iterator<Entry<String, V>> all = map.entrySet().iterator();
                    return new Iterator<>() {
                        @Override
                        public boolean hasNext() {
                            return all.hasNext();
                        }

                        @Override
                        public Entry<String, V> next() {
                            looks.incrementAndGet();
                            return all.next();
                        }
                    };
                }

                @Override
                public int size() {
                    return map.size();
                }
            };
        }
    }
}
