/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.store;

import com.apple.foundationdb.Database;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualWorld;
import dev.ratchet.store.engine.EmbeddedEngine;
import dev.ratchet.store.engine.EngineSettings;
import dev.ratchet.store.log.StoreDirectory;
import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.ConnectionDatabase;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.RangeChunk;
import dev.ratchet.store.transaction.RangeRead;
import dev.ratchet.store.transaction.ReadVersionRequest;
import dev.ratchet.store.transaction.StoreConnection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * The embedded store as a process of a {@link VirtualWorld}, with its real log on a {@link SimulatedDisk}: it can be
 * killed at any event and comes back with what was durable. Whoever is told of commits is told of each one that is
 * durable, before its client is.
 */
public final class SimulatedStore {

    /** Is told of what was committed. */
    public interface Observer {
        /** These mutations of a process are in force, all at once. */
        void committed(CommitRequest request, VirtualProcess by);

        /** The store has restarted with these rows: commits that nobody was told of may be among them. */
        void restarted(Map<byte[], byte[]> rows);

        /** A commit of a process was refused, because others had changed what it had read in these ranges. */
        default void refused(CommitRequest request, List<KeyRange> changed, VirtualProcess by) {}
    }

    /** No end of a commit is later than its batch by more. */
    private static final long LATEST_NANOS = 1_000_000;

    private static final int ROWS_AT_ONCE = 10_000;
    private static final int BYTES_AT_ONCE = 10_000_000;

    private final VirtualWorld world;
    private final Network network;
    private final List<Observer> observers = new ArrayList<>();
    private final List<StoreLink> links = new ArrayList<>();
    private final TreeMap<CommitOutcome, Commit> untold =
            new TreeMap<>(Comparator.comparingLong(CommitOutcome::version).thenComparingInt(CommitOutcome::batchIndex));
    private final VirtualProcess teller;
    private SimulatedDisk disk = new SimulatedDisk();
    private VirtualProcess process;
    private EmbeddedEngine engine;
    private StoreFaults faults = StoreFaults.NONE;
    private long commits;
    private long reads;

    private record Commit(CommitRequest request, VirtualProcess by) {}

    public SimulatedStore(VirtualWorld world, Network network) {
        this.world = world;
        this.network = network;
        this.process = new VirtualProcess(world, "store", 0);
        this.teller = new VirtualProcess(world, "teller", 0);
        this.engine = open(process);
    }

    private EmbeddedEngine open(VirtualProcess in) {
        return StoreDirectory.open(disk, in.executor(), in, EngineSettings.DEFAULT)
                .engine();
    }

    public void addObserver(Observer observer) {
        observers.add(observer);
    }

    /** A database whose transactions run in {@code client}, and stand still when that does. */
    public Database database(VirtualProcess client) {
        return database(client, UnaryOperator.identity());
    }

    /** As above, with something in between that changes what client and store say to each other. */
    public Database database(VirtualProcess client, UnaryOperator<StoreConnection> between) {
        StoreLink link = new StoreLink(this, client, network);
        links.removeIf(StoreLink::isOver);
        links.add(link);
        return new ConnectionDatabase(between.apply(link), client);
    }

    /** From now on calls fail like this, those of every client. */
    public void setFaults(StoreFaults next) {
        faults = next;
    }

    public StoreFaults faults() {
        return faults;
    }

    /** Kills the process now; it is back after {@code downMillis}. */
    public void crash(long downMillis) {
        if (process.isDead()) {
            return;
        }
        process.kill();
        disk = disk.afterCrash(world.random());
        VirtualProcess next = new VirtualProcess(world, "store", 0);
        world.at(downMillis * 1_000_000, next, () -> {
            EmbeddedEngine recovered = open(next);
            recovered.readVersion(new ReadVersionRequest(false, false)).thenAccept(version -> {
                process = next;
                engine = recovered;
                Map<byte[], byte[]> rows = rows(recovered, version);
                untold.clear();
                observers.forEach(observer -> observer.restarted(rows));
                List.copyOf(links).forEach(StoreLink::storeIsBack);
            });
        });
    }

    private static Map<byte[], byte[]> rows(EmbeddedEngine engine, long version) {
        Map<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
        byte[] from = {};
        while (true) {
            RangeChunk chunk = engine.range(RangeRead.ofKeys(
                            version, from, new byte[] {(byte) 0xff}, ROWS_AT_ONCE, BYTES_AT_ONCE, false))
                    .join();
            chunk.rows().forEach(row -> rows.put(row.getKey(), row.getValue()));
            if (!chunk.more()) {
                return rows;
            }
            byte[] last = chunk.rows().getLast().getKey();
            from = Arrays.copyOf(last, last.length + 1);
        }
    }

    /** Transactions committed so far: every commit that wrote. */
    public long commits() {
        return commits;
    }

    /** Read versions handed out so far: at most one for each transaction that read. */
    public long reads() {
        return reads;
    }

    void countRead() {
        reads++;
    }

    /**
     * Ends of commits overtake each other on their way out of the engine: observers are told in the order of versions,
     * and the client after them.
     */
    CompletableFuture<CommitOutcome> committed(CommitRequest request, VirtualProcess by, CommitOutcome outcome) {
        commits++;
        CompletableFuture<CommitOutcome> told = new CompletableFuture<>();
        untold.put(outcome, new Commit(request, by));
        world.at(LATEST_NANOS, teller, () -> {
            tellUntil(outcome);
            told.complete(outcome);
        });
        return told;
    }

    void refused(CommitRequest request, List<KeyRange> changed, VirtualProcess by) {
        observers.forEach(observer -> observer.refused(request, changed, by));
    }

    private void tellUntil(CommitOutcome newest) {
        while (!untold.isEmpty() && untold.comparator().compare(untold.firstKey(), newest) <= 0) {
            Commit commit = untold.pollFirstEntry().getValue();
            observers.forEach(observer -> observer.committed(commit.request(), commit.by()));
        }
    }

    VirtualProcess process() {
        return process;
    }

    /** The engine of now; its reads complete at once. */
    public EmbeddedEngine engine() {
        return engine;
    }

    VirtualWorld world() {
        return world;
    }
}
