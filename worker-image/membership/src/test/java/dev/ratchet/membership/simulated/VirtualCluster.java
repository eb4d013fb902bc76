/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import com.apple.foundationdb.Database;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.membership.Member;
import dev.ratchet.membership.coordinator.WorkerCalls;
import dev.ratchet.membership.observe.Prober;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.store.keyspace.Keyspace;
import dev.ratchet.store.keyspace.StoreRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A store and workers in one {@link VirtualWorld}. */
public final class VirtualCluster {

    public static final LeaseSettings LEASE = LeaseSettings.DEFAULT;

    public final VirtualWorld world;
    public final Database database;
    final VirtualStore engine;
    private final VirtualProcess bystander;
    public final Keyspace keyspace = new Keyspace("team-a/orders");
    public final StoreRecord store;
    final List<VirtualWorker> workers = new ArrayList<>();
    private boolean probesAnswer = true;
    private int unknownOneIn;
    private long nextNonce = 1;

    public VirtualCluster(long seed) {
        world = new VirtualWorld(seed);
        engine = new VirtualStore(new VirtualProcess(world, 0));
        bystander = new VirtualProcess(world, 0);
        database = engine.database(bystander);
        store = await(database.runAsync(
                transaction -> StoreRecord.openOrCreate(transaction, keyspace, "team-a/orders", world.random())));
    }

    /** Runs the world until the future is done. */
    public <T> T await(CompletableFuture<T> future) {
        world.until("a future ends", 60_000, future::isDone);
        return future.join();
    }

    /** A worker that has just been started as a new pod; it tries to take the seat when the world runs. */
    public VirtualWorker start(String seat, String podUid, String address) {
        return start(seat, podUid, 1, address, 0);
    }

    /** A worker whose pod has the name of the seat. */
    public VirtualWorker start(String seat) {
        return start(seat, "pod-" + seat, "10.0.0." + (workers.size() + 1) + ":7400");
    }

    public VirtualWorker start(String seat, String podUid, long bootNumber, String address, int driftPerMille) {
        VirtualWorker worker = new VirtualWorker(this, seat, podUid, bootNumber, nextNonce++, address, driftPerMille);
        workers.add(worker);
        worker.join();
        return worker;
    }

    /** From now on probes get no answer, as across a cut network. */
    public void cutProbes() {
        probesAnswer = false;
    }

    /** From now on probes are answered again. */
    public void healProbes() {
        probesAnswer = true;
    }

    /** Workers started from now on do not learn the outcome of one commit in so many. */
    public void loseOneCommitIn(int number) {
        unknownOneIn = number;
    }

    Database connect(VirtualProcess process) {
        return unknownOneIn == 0 ? engine.database(process) : engine.flakyDatabase(process, world, unknownOneIn);
    }

    Prober prober(VirtualProcess prober) {
        return address -> {
            CompletableFuture<Prober.Result> result = new CompletableFuture<>();
            world.at(1_000_000, prober, () -> result.complete(probe(address)));
            return result;
        };
    }

    private Prober.Result probe(String address) {
        if (!probesAnswer) {
            return Prober.Result.UNKNOWN;
        }
        boolean listening = workers.stream().anyMatch(worker -> worker.address().equals(address) && !worker.isGone());
        return listening ? Prober.Result.ANSWERED : Prober.Result.REFUSED;
    }

    /** Messages arrive a millisecond later, or never where the other process is gone or not that incarnation. */
    WorkerCalls calls() {
        return new WorkerCalls() {
            @Override
            public CompletableFuture<Void> hello(Member worker, long term) {
                return deliver(worker, target -> target.seat().commands().hello(term));
            }

            @Override
            public CompletableFuture<Void> drain(Member worker, long term, long seq, boolean on, long timeoutMillis) {
                return deliver(worker, target -> target.seat().commands().drain(term, seq, on, timeoutMillis));
            }
        };
    }

    private CompletableFuture<Void> deliver(Member member, java.util.function.Consumer<VirtualWorker> message) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Optional<VirtualWorker> target = workers.stream()
                .filter(worker -> worker.isIncarnation(member.seat(), member.incarnation()))
                .findFirst();
        target.ifPresent(worker -> world.at(1_000_000, worker.process(), () -> {
            try {
                message.accept(worker);
                answer.complete(null);
            } catch (RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        }));
        return answer;
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

    /** The drains that the store has on record. */
    public List<String> wantedDrains() {
        return await(database.readAsync(
                        transaction -> new CoordinatorTable(keyspace).draining().read(transaction)))
                .getSeatsList();
    }

    /** All workers ever started. */
    public List<VirtualWorker> workers() {
        return List.copyOf(workers);
    }

    /** The worker that holds the highest term by its own belief. */
    public Optional<VirtualWorker> coordinator() {
        return workers.stream()
                .filter(worker -> !worker.isGone() && worker.membership().term() > 0)
                .max(java.util.Comparator.comparingLong(
                        worker -> worker.membership().term()));
    }
}
