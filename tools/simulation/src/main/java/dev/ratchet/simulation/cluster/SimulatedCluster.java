/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.membership.v1.DrainingRecord;
import dev.ratchet.protocol.release.ReleaseFormats;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.store.SimulatedStore;
import dev.ratchet.simulation.world.VirtualProcess;
import dev.ratchet.simulation.world.VirtualWorld;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store, a network and workers in one {@link VirtualWorld}. */
public final class SimulatedCluster {

    public static final LeaseSettings LEASE = LeaseSettings.DEFAULT;
    public static final String NAMESPACE = "team-a";
    public static final String NAME = "orders";

    public final VirtualWorld world;
    public final Network network;
    public final SimulatedStore engine;
    public final Keyspace keyspace = new Keyspace(NAMESPACE + "/" + NAME);
    /** The way to the store of somebody who never fails. */
    public final Database database;

    public final StoreRecord store;
    private final VirtualProcess bystander;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private Defects defects = Defects.NONE;
    private boolean volumes;
    private WorkFactory work;
    private ReleaseFormats release = ReleaseFormats.OWN;
    private long nextNonce = 1;

    /** Makes what a worker works on. */
    @FunctionalInterface
    public interface WorkFactory {
        Work make(SimulatedWorker.Parts parts);
    }

    /** A cluster whose workers hold {@link ToyWork}. */
    public SimulatedCluster(long seed) {
        this(new VirtualWorld(seed));
    }

    public SimulatedCluster(VirtualWorld world) {
        this.world = world;
        this.work = ToyWork::new;
        network = new Network(world);
        engine = new SimulatedStore(world, network);
        bystander = new VirtualProcess(world, "bystander", 0);
        database = engine.database(bystander);
        store = await(database.runAsync(transaction ->
                StoreRecord.openOrCreate(transaction, keyspace, NAMESPACE + "/" + NAME, release, world.random())));
    }

    /** Workers started from now on do this work. */
    public SimulatedCluster with(WorkFactory factory) {
        work = factory;
        return this;
    }

    /** Workers started from now on do the work of futures, and have the files of those before them on their seats. */
    public SimulatedCluster withVolumes(Path directory) {
        volumes = true;
        return with(parts -> FuturesWork.onVolume(parts, directory));
    }

    /**
     * Workers started from now on do the work of futures, and have the files of those before them on their seats, which
     * do not know that: as in one pod.
     */
    public SimulatedCluster withPods(Path directory) {
        return with(parts -> FuturesWork.inPod(parts, directory));
    }

    boolean hasVolumes() {
        return volumes;
    }

    /** Workers started from now on have these defects. */
    public SimulatedCluster with(Defects planted) {
        defects = planted;
        return this;
    }

    /** Workers started from now on are of this release. */
    public SimulatedCluster with(ReleaseFormats formats) {
        release = formats;
        return this;
    }

    /** A process to which nothing happens. */
    public VirtualProcess bystander() {
        return bystander;
    }

    Defects defects() {
        return defects;
    }

    ReleaseFormats release() {
        return release;
    }

    WorkFactory work() {
        return work;
    }

    /** Runs the world until the future is done. */
    public <T> T await(CompletableFuture<T> future) {
        world.until("a future ends", 60_000, future::isDone);
        return future.join();
    }

    /** A worker that has just been started as a new pod; it tries to take the seat when the world runs. */
    public SimulatedWorker start(String seat, String podUid, String address) {
        return start(seat, podUid, 1, address, 0);
    }

    /** A worker whose pod has the name of the seat. */
    public SimulatedWorker start(String seat) {
        return start(seat, "pod-" + seat, "10.0.0." + (workers.size() + 1) + ":7400");
    }

    public SimulatedWorker start(String seat, String podUid, long bootNumber, String address, int driftPerMille) {
        SimulatedWorker worker =
                new SimulatedWorker(this, seat, podUid, bootNumber, nextNonce++, address, driftPerMille);
        workers.add(worker);
        worker.join();
        return worker;
    }

    /** From now on probes get no answer, as across a cut network. */
    public void cutProbes() {
        network.answerProbes(false);
    }

    /** From now on probes are answered again. */
    public void healProbes() {
        network.answerProbes(true);
    }

    /** The seat as the store has it now. */
    public Member member(String seat) {
        return await(database.readAsync(transaction -> new StoredMembers(keyspace).one(transaction, seat)))
                .orElseThrow();
    }

    /** Runs {@code task} after so long, whatever happens to processes. */
    public void later(long millis, Runnable task) {
        world.at(millis * 1_000_000, bystander, task);
    }

    /** The seats that are to drain or to park by the store's record. */
    public List<String> wantedDrains() {
        DrainingRecord record = await(database.readAsync(
                transaction -> new CoordinatorTable(keyspace).draining().read(transaction)));
        List<String> seats = new ArrayList<>(record.getSeatsList());
        seats.addAll(record.getParkingMap().keySet());
        return seats;
    }

    /** All workers ever started, and those that will be. */
    public List<SimulatedWorker> workers() {
        return Collections.unmodifiableList(workers);
    }

    /** The worker that holds the highest term by its own belief. */
    public Optional<SimulatedWorker> coordinator() {
        return workers.stream()
                .filter(worker -> !worker.isGone() && worker.membership().term() > 0)
                .max(Comparator.comparingLong(worker -> worker.membership().term()));
    }
}
