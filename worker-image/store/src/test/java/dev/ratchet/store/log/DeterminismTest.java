/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.tuple.Tuple;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.transaction.ConnectionDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With time, threads, randomness and disk given, a run is its seed. */
class DeterminismTest {

    private static CrashingDisk run(long seed) {
        CrashingDisk disk = new CrashingDisk(seed);
        SteppedEnvironment environment = new SteppedEnvironment(seed);
        StoreDirectory store = StoreDirectory.open(disk, environment.executor(), environment, EngineSettings.DEFAULT);
        Database database = new ConnectionDatabase(store.engine(), environment);
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] key = Tuple.from(random.nextInt(40)).pack();
            byte[] other = Tuple.from(random.nextInt(40)).pack();
            database.runAsync(tr -> tr.get(other).thenAccept(value -> tr.set(key, value == null ? other : value)));
            if (random.nextInt(5) == 0) {
                environment.runAll();
            }
        }
        environment.runAll();
        store.checkpoint();
        environment.runAll();
        return disk;
    }

    /** A process: writes what the run of seed 5 leaves on its disk to the file that is its argument. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(Path.of(arguments[0]), run(5).content());
    }

    @Test
    void aRunIsTheSameInAnotherProcess(@TempDir Path directory) throws Exception {
        Path content = directory.resolve("content");
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DeterminismTest.class.getName(),
                        content.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).as(said).isZero();
        assertThat(content).hasContent(run(5).content());
    }

    @Test
    void twoRunsOfOneSeedAreEqualByteForByteAndStartNoThread() throws Exception {
        // What other tests have left may begin threads meanwhile, in another group.
        ThreadGroup own = new ThreadGroup("runs");
        FutureTask<Integer> runs = new FutureTask<>(() -> {
            String first = run(5).content();
            assertThat(run(5).content()).isEqualTo(first);
            assertThat(run(6).content()).isNotEqualTo(first);
            return own.activeCount();
        });
        new Thread(own, runs).start();
        assertThat(runs.get(1, TimeUnit.MINUTES)).as("threads of the runs").isEqualTo(1);
    }
}
