/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Transaction;
import dev.ratchet.environment.ForwardingEnvironment;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callbacks that say that they never block hear of a commit from the thread of the network, of a failure never. */
@Timeout(60)
class ToldAtOnceTest {

    private ServedEngine store;
    private Held environment;
    private ConnectionDatabase database;

    @BeforeEach
    void start() {
        store = new ServedEngine();
        environment = new Held(store.environment);
        database = new ConnectionDatabase(store.connect(environment), environment);
        database.run(ToldAtOnceTest::read);
        environment.isHeld = true;
    }

    @AfterEach
    void stop() {
        environment.isHeld = false;
        database.close();
        store.close();
    }

    @Test
    void aCommitThatIsToldAtOnceNeedsNoFurtherThread() throws Exception {
        CompletableFuture<Void> atOnce = database.runAsync(ToldAtOnceTest::write, ConnectionDatabase.AT_ONCE);
        CompletableFuture<Void> other = database.runAsync(ToldAtOnceTest::write);

        atOnce.get();
        Runnable telling = environment.tasks.take();
        assertThat(other).isNotDone();
        telling.run();
        assertThat(other).isCompleted();
    }

    @Test
    void aCommitThatFailsIsToldByAThreadThatMayBlock() throws Exception {
        long version = store.engine
                .commit(RemoteConnectionTest.sets("key", "before"))
                .get()
                .version();
        store.engine.commit(RemoteConnectionTest.sets("key", "meanwhile")).get();
        CompletableFuture<Void> failing = database.runAsync(
                transaction -> {
                    transaction.options().setRetryLimit(0);
                    transaction.setReadVersion(version);
                    transaction.addReadConflictKey(key());
                    return write(transaction);
                },
                ConnectionDatabase.AT_ONCE);

        Runnable telling = environment.tasks.take();
        assertThat(failing).isNotDone();
        telling.run();
        assertThat(failing).isCompletedExceptionally();
    }

    private static byte[] read(Transaction transaction) {
        return transaction.get(key()).join();
    }

    private static CompletableFuture<Void> write(Transaction transaction) {
        transaction.set(key(), key());
        return CompletableFuture.completedFuture(null);
    }

    private static byte[] key() {
        return "key".getBytes(StandardCharsets.UTF_8);
    }

    /** An environment whose threads are busy for as long as one likes. */
    private static final class Held implements ForwardingEnvironment {

        private final SystemEnvironment real;
        private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        private volatile boolean isHeld;

        Held(SystemEnvironment real) {
            this.real = real;
        }

        @Override
        public SystemEnvironment real() {
            return real;
        }

        @Override
        public Executor executor() {
            return task -> {
                if (isHeld) {
                    tasks.add(task);
                } else {
                    real.executor().execute(task);
                }
            };
        }
    }
}
