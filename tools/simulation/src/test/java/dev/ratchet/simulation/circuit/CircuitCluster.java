/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import com.apple.foundationdb.Database;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.dataflow.DataflowSettings;
import dev.ratchet.dataflow.DataflowState;
import dev.ratchet.dataflow.DataflowStatus;
import dev.ratchet.dataflow.InputRequest;
import dev.ratchet.dataflow.Received;
import dev.ratchet.dataflow.ShareListener;
import dev.ratchet.dataflow.ToldChanges;
import dev.ratchet.dataflow.process.Dataflow;
import dev.ratchet.dataflow.record.DataflowStore;
import dev.ratchet.membership.record.CoordinatorTable;
import dev.ratchet.protocol.membership.v1.LayoutRecord;
import dev.ratchet.simulation.cluster.DataflowWork;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.network.SimulatedExchange;
import dev.ratchet.simulation.store.SimulatedStateDisk;
import dev.ratchet.simulation.world.VirtualProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Workers of a circuit in virtual time, one producer that repeats what it does not know to be received, and what the
 * views of all workers tell. A worker that is killed leaves its disk to the next one of its seat.
 */
final class CircuitCluster {

    private static final Pattern RETRY = Pattern.compile("(?<=has ended each time .{0,2000})retry-[0-9]+");
    private static final long ANSWER_MILLIS = 3_000;
    private static final long RETRY_MILLIS = 20;
    private static final int RESTART_MILLIS_MAX = 3_000;

    final SimulatedCluster cluster;
    final List<SimulatedWorker> workers = new ArrayList<>();
    final ToldChanges told = new ToldChanges();
    /** By position. */
    final Map<String, InputRequest> sent = new TreeMap<>();

    private final SimulatedExchange.Hub exchanges;
    private final CircuitDefects defects;
    private final List<String> views;
    private final VirtualProcess producer;
    private final Map<String, SimulatedStateDisk> disks = new TreeMap<>();
    private DataflowSettings settings;
    private int pods;

    /** @param views that are followed in all workers */
    CircuitCluster(long seed, int seats, DataflowSettings settings, List<String> views, CircuitDefects defects) {
        this.cluster = new SimulatedCluster(seed).with(this::work);
        this.exchanges = new SimulatedExchange.Hub(cluster.network);
        this.defects = defects;
        this.settings = settings;
        this.views = views;
        this.producer = new VirtualProcess(cluster.world, "producer", 0);
        LayoutRecord.Builder layout = LayoutRecord.newBuilder().setEpoch(1);
        for (int seat = 0; seat < seats; seat++) {
            layout.addSeats("w-" + seat);
        }
        cluster.await(cluster.database.runAsync(transaction -> {
            new CoordinatorTable(cluster.keyspace).layout().write(transaction, layout.build());
            return CompletableFuture.completedFuture(null);
        }));
        for (int seat = 0; seat < seats; seat++) {
            workers.add(start("w-" + seat, 0));
        }
    }

    private DataflowWork work(SimulatedWorker.Parts parts) {
        String seat = parts.process().name().replaceAll("#.*", "");
        SimulatedStateDisk disk = disks.computeIfAbsent(seat, name -> new SimulatedStateDisk());
        SimulatedExchange exchange = new SimulatedExchange(
                exchanges,
                parts.process(),
                seat,
                parts.keyspace().formats()::get,
                new DataflowWork.BlockingEnvironment(parts.process()));
        DataflowWork work = new DataflowWork(planted(parts), defects.of(exchange), defects.of(disk));
        work.configure(Optional.of(settings));
        views.forEach(view -> follow(parts.process(), work.dataflow(), seat, view));
        return work;
    }

    private SimulatedWorker.Parts planted(SimulatedWorker.Parts parts) {
        if (defects == CircuitDefects.NONE) {
            return parts;
        }
        DataflowStore store = new DataflowStore(parts.database(), parts.keyspace());
        Database changed =
                cluster.engine.database(parts.process(), real -> defects.of(real, store, () -> crash(parts.process())));
        return new SimulatedWorker.Parts(
                parts.process(),
                parts.address(),
                changed,
                parts.keyspace(),
                parts.seat(),
                parts.members(),
                parts.liveness(),
                parts.peers(),
                parts.loopback());
    }

    private void follow(VirtualProcess process, Dataflow dataflow, String seat, String view) {
        try {
            dataflow.shares().follow(view, told.last(seat, view), new ShareListener() {
                @Override
                public void snapshot(long step, Batch rows) {
                    told.mistake("a snapshot that nobody wanted");
                }

                @Override
                public void changes(long step, Batch rows) {
                    told.changes(seat, view, step, rows);
                }

                @Override
                public void progress(long step) {
                    told.progress(seat, view, step);
                }

                @Override
                public void expired(long oldestStep) {
                    told.mistake(view + " of " + seat + " is kept from step " + oldestStep + " only");
                }

                @Override
                public void ended(String reason) {
                    process.schedule(1, () -> follow(process, dataflow, seat, view));
                }
            });
        } catch (IllegalArgumentException notYet) {
            process.schedule(5, () -> follow(process, dataflow, seat, view));
        }
    }

    private SimulatedWorker start(String seat, int driftPerMille) {
        pods++;
        return cluster.start(seat, "pod-" + pods, 1, "10.0.0." + pods + ":7400", driftPerMille);
    }

    DataflowWork work(int seat) {
        return (DataflowWork) workers.get(seat).work();
    }

    Dataflow dataflow(int seat) {
        return work(seat).dataflow();
    }

    /** Kills a worker, or turns the power of its machine off. */
    void kill(int seat, boolean crashed) {
        SimulatedWorker worker = workers.get(seat);
        if (!worker.process().isDead()) {
            worker.kill();
            disks.computeIfPresent(
                    worker.name(), (name, disk) -> crashed ? disk.afterCrash(cluster.world.random()) : disk);
        }
    }

    /** Turns the power of a process's machine off at once; it comes back. */
    private void crash(VirtualProcess process) {
        cluster.later(0, () -> {
            for (int seat = 0; seat < workers.size(); seat++) {
                if (workers.get(seat).process() == process) {
                    int crashed = seat;
                    kill(seat, true);
                    cluster.later(cluster.world.random().nextInt(RESTART_MILLIS_MAX), () -> restart(crashed, 0));
                }
            }
        });
    }

    /** A sync on the disk of a seat takes less than so long from now on; 0 for no time. */
    void slowDisk(int seat, int millis) {
        disks.computeIfPresent(workers.get(seat).name(), (name, disk) -> {
            disk.slow(millis);
            return disk;
        });
    }

    /** Kills a worker if it lives, and starts the next one of its seat. */
    void restart(int seat, int driftPerMille) {
        kill(seat, false);
        workers.set(seat, start(workers.get(seat).name(), driftPerMille));
    }

    private void configure(DataflowSettings wanted) {
        settings = wanted;
        for (int seat = 0; seat < workers.size(); seat++) {
            work(seat).configure(Optional.of(settings));
        }
    }

    /** Has the circuit take no input, or go on. */
    void suspend(boolean suspended) {
        configure(settings(suspended, settings.decision()));
    }

    private DataflowSettings settings(boolean suspended, String decision) {
        return new DataflowSettings(
                settings.name(),
                settings.program(),
                suspended,
                settings.threads(),
                settings.checkpointIntervalMillis(),
                settings.retainedVersions(),
                settings.onError(),
                settings.retainedSteps(),
                decision,
                settings.inputs(),
                settings.outputs());
    }

    /** Sends a request to one worker after the other until one says that it was received. */
    CompletableFuture<Received> append(InputRequest request) {
        CompletableFuture<Received> received = new CompletableFuture<>();
        producer.executor().execute(() -> attempt(request, received));
        return received.whenComplete((answer, failure) -> {
            if (failure == null) {
                sent.put(answer.position(), request);
            }
        });
    }

    private void attempt(InputRequest request, CompletableFuture<Received> received) {
        if (received.isDone()) {
            return;
        }
        SimulatedWorker worker = workers.get(cluster.world.random().nextInt(workers.size()));
        Dataflow dataflow = ((DataflowWork) worker.work()).dataflow();
        boolean[] over = {false};
        Runnable again = () -> {
            if (!over[0]) {
                over[0] = true;
                attempt(request, received);
            }
        };
        producer.schedule(ANSWER_MILLIS, again);
        worker.process()
                .executor()
                .execute(() -> dataflow.inputs().append(request).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        received.complete(answer);
                    } else {
                        producer.schedule(RETRY_MILLIS, again);
                    }
                }));
    }

    /** The last step that all workers have told of all views. */
    long completeStep() {
        long step = Long.MAX_VALUE;
        for (SimulatedWorker worker : workers) {
            for (String view : views) {
                step = Math.min(step, told.last(worker.name(), view));
            }
        }
        return step;
    }

    /** The step that has the record at a position, once there is one. */
    long stepOf(String position, long withinMillis) {
        long end = cluster.world.millis() + withinMillis;
        for (long step = 1; cluster.world.millis() < end; ) {
            retryWhereKillsAreTakenForTheStep();
            Optional<String> taken = cluster.await(dataflow(0).inputOf(step));
            if (taken.isEmpty()) {
                cluster.world.run(100);
            } else if (taken.get().compareTo(position) >= 0) {
                return step;
            } else {
                step++;
            }
        }
        throw new AssertionError("No step has taken " + position + " within " + withinMillis + " ms: "
                + dataflow(0).status());
    }

    /** The position up to which the log is in each step, by step; of a worker that lives. */
    Map<Long, String> ends(long last) {
        Map<Long, String> ends = new TreeMap<>();
        for (long step = 1; step <= last; step++) {
            Optional<String> end = cluster.await(dataflow(0).inputOf(step));
            if (end.isPresent()) {
                ends.put(step, end.get());
            }
        }
        return ends;
    }

    /** Kills at random may hit one step again and again; a person sees that it is not the step's fault, of no other. */
    void retryWhereKillsAreTakenForTheStep() {
        for (int seat = 0; seat < workers.size(); seat++) {
            DataflowStatus status = dataflow(seat).status();
            if (status.state() == DataflowState.STATE_LOST) {
                throw new AssertionError("The state is lost: " + status);
            }
            if (status.state() == DataflowState.STOPPED) {
                Matcher retry = RETRY.matcher(status.message());
                if (!retry.find()) {
                    throw new AssertionError("The circuit has stopped: " + status);
                }
                if (!retry.group().equals(settings.decision())) {
                    configure(settings(settings.suspended(), retry.group()));
                }
            }
        }
    }
}
