/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In whatever order the threads of a store come to run, each file of the log holds what it should. */
class LogFilesTest {

    private static final int COMMITS = 600;

    /** Runs what it was given in an order that the seed decides. */
    private static final class AnyOrder implements Executor {
        private final List<Runnable> tasks = new ArrayList<>();
        private final Random random;

        AnyOrder(long seed) {
            random = new Random(seed);
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        boolean runOne() {
            if (tasks.isEmpty()) {
                return false;
            }
            // The first may have to wait for long, as the making of a file does on a slow disk.
            int index = random.nextInt(150) > 0 ? tasks.size() - 1 : random.nextInt(tasks.size());
            tasks.remove(index).run();
            return true;
        }
    }

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatWasAcknowledgedIsInTheLogHoweverLateFilesAreReady(long seed) throws IOException {
        AnyOrder threads = new AnyOrder(seed);
        SteppedEnvironment environment = new SteppedEnvironment(seed);
        StoreDirectory store = StoreDirectory.open(
                new DirectoryDisk(directory.resolve("store"), false), threads, environment, EngineSettings.DEFAULT);
        Database database = new ConnectionDatabase(store.engine(), environment);
        for (int i = 0; i < COMMITS; i++) {
            Transaction tr = database.createTransaction();
            tr.set(Tuple.from(i).pack(), new byte[99_000]);
            CompletableFuture<Void> commit = tr.commit();
            do {
                environment.runAll();
            } while (!commit.isDone() && threads.runOne());
            assertThat(commit).isCompleted();
        }
        Path killed = Files.createDirectory(directory.resolve("killed"));
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            for (Path file : files.toList()) {
                Files.copy(file, killed.resolve(file.getFileName()));
            }
        }
        StoreDirectory again =
                StoreDirectory.open(new DirectoryDisk(killed, false), threads, environment, EngineSettings.DEFAULT);
        Database found = new ConnectionDatabase(again.engine(), environment);
        for (int i = 0; i < COMMITS; i += 7) {
            assertThat(found.createTransaction().get(Tuple.from(i).pack()).join())
                    .as("seed %d, commit %d", seed, i)
                    .hasSize(99_000);
        }
    }
}
