/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.OpenSeat;
import dev.ratchet.store.fixture.StoreUnderTest;
import dev.ratchet.store.keyspace.Keyspace;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker is told to delete is deleted whenever it is told. */
class ObjectGarbageCollectorTest {

    private static final long LIMIT_SECONDS = 30;
    private static final String SEAT = "w-0";

    @TempDir
    private Path directory;

    /** Another environment whose tasks the test runs. */
    private record Stepped(Environment real, BlockingQueue<Runnable> tasks) implements ForwardingEnvironment {
        @Override
        public Executor executor() {
            return tasks::add;
        }
    }

    @Test
    void whatIsToldWhileASweepEndsIsDeletedAtOnce() throws Exception {
        try (SystemEnvironment real = new SystemEnvironment()) {
            BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
            FutureKeys keys = new FutureKeys(new Keyspace("test/garbage"));
            FutureStore store = new FutureStore(StoreUnderTest.open(real), keys, new Stepped(real, tasks));
            ObjectStore objects = new ObjectStore(directory, 1 << 20, 0);
            ObjectName name = new ObjectName(FutureId.random(), 1);
            objects.put(name, new byte[10]);
            ObjectGarbageCollector objectGarbageCollector =
                    new ObjectGarbageCollector(store, new OpenSeat(SEAT), objects);

            objectGarbageCollector.sweep();
            Runnable end = Objects.requireNonNull(tasks.poll(LIMIT_SECONDS, TimeUnit.SECONDS), "the sweep's end");
            store.runPlain(transaction -> {
                        transaction.set(keys.garbage.key(SEAT, 1, name.future().value(), name.epoch()), new byte[0]);
                        return CompletableFuture.completedFuture(null);
                    })
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            objectGarbageCollector.sweep();
            end.run();
            for (Runnable task = end; task != null && objects.count() > 0; ) {
                task = tasks.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (task != null) {
                    task.run();
                }
            }

            assertThat(objects.all()).isEmpty();
        }
    }
}
