/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.store;

import com.apple.foundationdb.Database;
import dev.ratchet.environment.SystemEnvironment;
import dev.ratchet.store.EmbeddedOptions;
import dev.ratchet.store.EmbeddedStore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one transaction in process costs its caller, who waits for it, by the size of the database. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx4g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH calls fill() before anything else
public class TransactionBenchmark {

    /** How many keys there are. */
    @Param({"10000", "100000", "1000000"})
    public int keys;

    private SystemEnvironment environment;
    private EmbeddedStore store;
    private Database database;

    /** Fills a store in memory. */
    @Setup(Level.Trial)
    public void fill() {
        environment = new SystemEnvironment();
        store = EmbeddedStore.open(EmbeddedOptions.inMemory(), environment);
        database = store.database();
        StoreBench.load(database, keys);
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void close() {
        store.close();
        environment.close();
    }

    /** Reads one key. */
    @Benchmark
    public Object read() {
        return Workload.READ.run(database, keys).join();
    }

    /** Reads a key and sets it. */
    @Benchmark
    public Object update() {
        return Workload.UPDATE.run(database, keys).join();
    }

    /** Reads and sets ten keys. */
    @Benchmark
    public Object updateOfTenKeys() {
        return Workload.UPDATE_TEN.run(database, keys).join();
    }

    /** Reads 1,000 rows. */
    @Benchmark
    public Object rangeOfAThousand() {
        return Workload.RANGE.run(database, keys).join();
    }
}
