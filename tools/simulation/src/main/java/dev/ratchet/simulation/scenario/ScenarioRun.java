/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedExecutions;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.check.CheckReport;
import dev.ratchet.futures.check.ClusterCheck;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.membership.record.StoredMembers;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.check.ClusterRules;
import dev.ratchet.simulation.cluster.FuturesWork;
import dev.ratchet.simulation.cluster.SimulatedClient;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.store.StoreFaults;
import dev.ratchet.simulation.world.VirtualProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One run of a {@link Scenario}. */
final class ScenarioRun {

    private static final long CALM_MILLIS = 180_000;
    private static final long DRAIN_MILLIS = 2_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long RESTART_MILLIS = 500;

    private final Scenario scenario;
    private final Path directory;
    private final SimulatedCluster cluster;
    private final SimulatedExecutions executions;
    private final ClusterRules checks;
    private final SimulatedClient client;
    private final ProgramPart program;
    private final SimulatedWorker[] newest = new SimulatedWorker[Scenario.SEATS];
    private final int[] boots = new int[Scenario.SEATS];
    private final int[] pods = new int[Scenario.SEATS];
    private final Map<Integer, FutureId> futures = new TreeMap<>();
    private final Set<FutureId> cancelled = new HashSet<>();
    /** Seats with a process that waits for the end of the one before. */
    private final Set<Integer> waiting = new HashSet<>();
    /** Copies of values may be damaged on disk. */
    private boolean damaged;
    /** What nobody expects has been thrown: what that ends with a failure has ended, too. */
    private boolean strayed;

    ScenarioRun(Scenario scenario) {
        this.scenario = scenario;
        try {
            directory = Files.createTempDirectory("ratchet-scenario-");
        } catch (IOException failure) {
            throw new UncheckedIOException("No directory for the files of a simulated cluster", failure);
        }
        cluster = new SimulatedCluster(scenario.seed())
                .with(scenario.defects())
                .with(parts -> new FuturesWork(parts, directory));
        if (scenario.volumes()) {
            cluster.withVolumes(directory);
        }
        executions = new SimulatedExecutions(cluster.world);
        checks = new ClusterRules(cluster, executions);
        client = new SimulatedClient(cluster);
        program = new ProgramPart(cluster, checks);
    }

    Scenario.Ending run() {
        Optional<Throwable> failure = Optional.empty();
        try {
            for (int seat = 0; seat < Scenario.SEATS; seat++) {
                startPod(seat);
            }
            for (FaultEvent faultEvent : scenario.faultEvents()) {
                cluster.later(faultEvent.atMillis(), () -> happen(faultEvent));
            }
            cluster.world.run(FaultEvent.LENGTH_MILLIS);
            calm();
        } catch (RuntimeException | AssertionError found) {
            failure = Optional.of(found);
        } finally {
            cluster.workers().forEach(SimulatedWorker::kill);
            executions.close();
            delete();
        }
        return new Scenario.Ending(failure, cluster.world.notes(), cluster.world.digest(), checks.looks());
    }

    private void delete() {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException left) {
            throw new UncheckedIOException("The files of a simulated cluster can not be deleted", left);
        }
    }

    private void startPod(int seat) {
        pods[seat]++;
        boots[seat] = 0;
        startProcess(seat);
    }

    /** The lock in the folder of a seat admits one process at a time. */
    private void startProcess(int seat) {
        if (scenario.volumes()
                && newest[seat] != null
                && !newest[seat].process().isDead()) {
            if (waiting.add(seat)) {
                cluster.later(RESTART_MILLIS, () -> {
                    waiting.remove(seat);
                    startProcess(seat);
                });
            }
            return;
        }
        boots[seat]++;
        String name = "orders-w-" + seat;
        int drift = cluster.world.random().nextInt(21) - 10;
        newest[seat] = cluster.start(
                name, name + "-pod-" + pods[seat], boots[seat], "10." + seat + ".0." + pods[seat] + ":7400", drift);
    }

    private void happen(FaultEvent faultEvent) {
        cluster.world.note("* " + faultEvent.kind() + " " + faultEvent.which() + " for " + faultEvent.millis() + " ms");
        SimulatedWorker worker = newest[faultEvent.which() % Scenario.SEATS];
        switch (faultEvent.kind()) {
            case SUBMIT_SMALL -> submit(faultEvent, SimulatedTask.Kind.SMALL);
            case SUBMIT_LARGE -> submit(faultEvent, SimulatedTask.Kind.LARGE);
            case SUBMIT_LARGE_ONCE -> submit(faultEvent, SimulatedTask.Kind.LARGE_ONCE);
            case SUBMIT_FAILS_ONCE -> submit(faultEvent, SimulatedTask.Kind.FAILS_ONCE);
            case SUBMIT_FAILS -> submit(faultEvent, SimulatedTask.Kind.FAILS);
            case SUBMIT_NESTED -> submit(faultEvent, SimulatedTask.Kind.NESTED);
            case SUBMIT_COUNTS -> submit(faultEvent, SimulatedTask.Kind.COUNTS);
            case CANCEL -> cancel(faultEvent.which());
            case KILL -> {
                worker.kill();
                cluster.later(faultEvent.millis() / 10, () -> restart(worker, faultEvent.which()));
            }
            case REPLACE -> {
                worker.kill();
                startPod(faultEvent.which());
            }
            case SECOND -> startPod(faultEvent.which());
            case PAUSE -> {
                worker.process().pause();
                cluster.later(faultEvent.millis(), worker.process()::resume);
            }
            case SLEEP -> {
                worker.process().suspend();
                cluster.later(faultEvent.millis(), worker.process()::resume);
            }
            case LEAVE -> leave(worker, faultEvent.which());
            case DRAIN -> {
                drain(List.of(worker.name()));
                cluster.later(faultEvent.millis(), () -> drain(List.of()));
            }
            case REPLACE_IN_PLACE -> replaceInPlace(worker, faultEvent);
            case DAMAGE_OBJECTS -> damage(worker);
            case STRAY -> {
                strayed = true;
                cluster.world.stray(faultEvent.which());
                cluster.later(faultEvent.millis(), () -> cluster.world.stray(0));
            }
            case JUMP_CLOCK -> {
                if (faultEvent.other() == 0) {
                    program.clockIsAhead();
                }
                worker.process().skewWallClock(faultEvent.other() == 0 ? HOUR_MILLIS : -HOUR_MILLIS);
                cluster.later(faultEvent.millis(), () -> worker.process().skewWallClock(0));
            }
            default -> {
                if (!program.happen(faultEvent)) {
                    disturb(faultEvent, worker.process());
                }
            }
        }
    }

    private void disturb(FaultEvent faultEvent, VirtualProcess process) {
        switch (faultEvent.kind()) {
            case CUT_STORE -> {
                if (faultEvent.other() != 1) {
                    cut(process, Network.STORE, faultEvent.millis());
                }
                if (faultEvent.other() != 2) {
                    cut(Network.STORE, process, faultEvent.millis());
                }
            }
            case CUT_PEER -> cut(process, newest[faultEvent.other()].process(), faultEvent.millis());
            case SILENCE_PROBES -> {
                cluster.cutProbes();
                cluster.later(faultEvent.millis(), cluster::healProbes);
            }
            case RESET_CALLS -> {
                cluster.network.disturb(100, 500);
                cluster.later(faultEvent.millis(), () -> cluster.network.disturb(0, 0));
            }
            case CRASH_STORE -> cluster.engine.crash(faultEvent.millis() / 5);
            case STORE_ERRORS -> fail(new StoreFaults(60, 60, 20, 20, 0), faultEvent.millis());
            default -> fail(new StoreFaults(0, 0, 0, 0, 2_000), faultEvent.millis());
        }
    }

    private void fail(StoreFaults faults, long millis) {
        cluster.engine.setFaults(faults);
        cluster.later(millis, () -> cluster.engine.setFaults(StoreFaults.NONE));
    }

    private void cut(Object from, Object to, long millis) {
        cluster.network.cut(from, to);
        cluster.later(millis, () -> cluster.network.heal(from, to));
    }

    private void damage(SimulatedWorker worker) {
        damaged = true;
        if (!worker.process().isDead()) {
            worker.work().damageObjects();
        }
    }

    private void restart(SimulatedWorker killed, int seat) {
        if (newest[seat] == killed) {
            startProcess(seat);
        }
    }

    private void leave(SimulatedWorker worker, int seat) {
        if (!worker.isGone() && worker.membership().isJoined()) {
            worker.process().executor().execute(() -> worker.leave(DRAIN_MILLIS));
            startPod(seat);
        }
    }

    /** As an operator that does not wait for the proof. */
    private void replaceInPlace(SimulatedWorker worker, FaultEvent faultEvent) {
        if (worker.isGone() || !worker.membership().isJoined()) {
            return;
        }
        order(SetDrainingRequest.newBuilder()
                .putParking(worker.name(), worker.seat().incarnation()));
        cluster.later(faultEvent.millis(), () -> {
            if (!worker.isGone()) {
                worker.process().executor().execute(() -> worker.leave(DRAIN_MILLIS)
                        .thenRun(() -> cluster.later(RESTART_MILLIS, () -> restart(worker, faultEvent.which()))));
            }
        });
        cluster.later(3 * faultEvent.millis(), () -> drain(List.of()));
    }

    private void drain(List<String> seats) {
        order(SetDrainingRequest.newBuilder().addAllSeats(seats));
    }

    private void order(SetDrainingRequest.Builder orders) {
        cluster.coordinator().ifPresent(leader -> leader.process().executor().execute(() -> leader.coordinator()
                .setDraining(orders.setDrainTimeoutMillis(DRAIN_MILLIS).build())));
    }

    private void submit(FaultEvent faultEvent, SimulatedTask.Kind kind) {
        SimulatedTask task = new SimulatedTask(faultEvent.which(), faultEvent.millis(), kind);
        List<FutureId> upstreams =
                Stream.ofNullable(futures.get(faultEvent.other())).toList();
        futures.put(faultEvent.which(), client.submit(task, upstreams));
    }

    private void cancel(int which) {
        FutureId id = futures.get(which);
        if (id != null) {
            cancelled.add(id);
            client.cancel(id);
        }
    }

    /** The faults are over: everything that was accepted must end, and nothing may be left. */
    private void calm() {
        cluster.world.note("* calm");
        cluster.healProbes();
        cluster.network.disturb(0, 0);
        cluster.network.healAll();
        cluster.engine.setFaults(StoreFaults.NONE);
        cluster.world.stray(0);
        for (SimulatedWorker worker : cluster.workers()) {
            worker.process().resume();
            worker.process().skewWallClock(0);
        }
        cluster.world.run(SimulatedCluster.LEASE.observerTtlMillis());
        long end = cluster.world.millis() + CALM_MILLIS;
        while (!isOver()) {
            for (int seat = 0; seat < Scenario.SEATS; seat++) {
                if (newest[seat].isGone()) {
                    startProcess(seat);
                }
            }
            if (!cluster.wantedDrains().isEmpty()) {
                drain(List.of());
            }
            program.unread().forEach(client::cancel);
            cluster.world.run(1_000);
            if (cluster.world.millis() > end) {
                checks.outcome(
                        false,
                        "Not over after " + CALM_MILLIS + " ms of calm: healthy=" + healthy() + " coordinator="
                                + cluster.coordinator() + " pending=" + client.pending() + " of the program="
                                + program.pending() + " in the store=" + checks.undone());
            }
        }
        cluster.world.run(2 * SimulatedCluster.LEASE.beatMillis() + 1_000);
        checks.calm();
        if (strayed) {
            return;
        }
        client.submitted().forEach(this::requireRight);
        client.submitted().forEach(this::requireKept);
        requireCounted();
        program.requireRight();
        program.end();
        CheckReport report = cluster.await(new ClusterCheck(
                        new FutureStore(cluster.database, new FutureKeys(cluster.keyspace), cluster.bystander()),
                        new StoredMembers(cluster.keyspace))
                .run());
        checks.outcome(report.isClean(), "The keys contradict each other: " + report);
    }

    private List<SimulatedWorker> healthy() {
        return cluster.workers().stream().filter(SimulatedWorker::isHealthy).toList();
    }

    private boolean isOver() {
        return client.isDone()
                && program.isDone()
                && checks.undone().isEmpty()
                && healthy().size() == Scenario.SEATS
                && cluster.coordinator().isPresent()
                && cluster.wantedDrains().isEmpty();
    }

    private void requireRight(SimulatedClient.Submitted future) {
        Outcome outcome = client.outcomes().get(future.id());
        boolean right = outcome != null
                && switch (outcome.getState()) {
                    case STATE_REALIZED -> mayRealize(future) && hasValue(future, outcome);
                    case STATE_FAILED -> mayFail(future);
                    case STATE_CANCELLED -> cancelled.contains(future.id());
                    default -> false;
                };
        checks.outcome(right, "task " + future.task() + " of " + future.upstreams() + " ended as " + outcome);
    }

    /** What was told to be there, and can not be computed again, can be read unless the disk has changed it. */
    private void requireKept(SimulatedClient.Submitted future) {
        Outcome outcome = client.outcomes().get(future.id());
        if (future.task().kind() == SimulatedTask.Kind.LARGE_ONCE
                && outcome != null
                && outcome.getState() == State.STATE_REALIZED
                && !damaged) {
            int expected = (int) outcome.getValueBytes();
            int read = cluster.await(client.read(future.id())).size();
            checks.outcome(
                    read == expected,
                    "of the value of task " + future.task() + " were read " + read + " of " + expected + " bytes");
        }
    }

    /** Each task that counts has done so exactly once, if it is realized, and else not at all. */
    private void requireCounted() {
        FutureKeys keys = new FutureKeys(cluster.keyspace);
        byte[] key = keys.user.key(SchedulingSpecs.DEFAULT_TENANT, SimulatedTask.countKey());
        long counted = Optional.ofNullable(
                        cluster.await(cluster.database.readAsync(transaction -> transaction.get(key))))
                .map(SimulatedTask::counted)
                .orElse(0L);
        long realized = client.submitted().stream()
                .filter(future -> future.task().kind() == SimulatedTask.Kind.COUNTS)
                .map(future -> client.outcomes().get(future.id()))
                .filter(outcome -> outcome != null && outcome.getState() == State.STATE_REALIZED)
                .count();
        checks.outcome(counted == realized, realized + " tasks have counted, and the store says " + counted);
    }

    private boolean mayRealize(SimulatedClient.Submitted future) {
        return future.task().kind() != SimulatedTask.Kind.FAILS
                && future.upstreams().stream()
                        .map(upstream -> client.outcomes().get(upstream))
                        .allMatch(outcome -> outcome != null && outcome.getState() == State.STATE_REALIZED);
    }

    private boolean mayFail(SimulatedClient.Submitted future) {
        return future.task().kind() == SimulatedTask.Kind.FAILS
                || !mayRealize(future)
                || dependsOnCancelled(future)
                || (damaged && dependsOnce(future));
    }

    /** A result that was told of may have been lost since, and be cancelled while it is computed again. */
    private boolean dependsOnCancelled(SimulatedClient.Submitted future) {
        return client.submitted().stream()
                .filter(upstream -> future.upstreams().contains(upstream.id()))
                .anyMatch(upstream -> cancelled.contains(upstream.id()) || dependsOnCancelled(upstream));
    }

    private boolean dependsOnce(SimulatedClient.Submitted future) {
        return client.submitted().stream()
                .filter(upstream -> future.upstreams().contains(upstream.id()))
                .anyMatch(upstream -> upstream.task().kind() == SimulatedTask.Kind.LARGE_ONCE || dependsOnce(upstream));
    }

    private static boolean hasValue(SimulatedClient.Submitted future, Outcome outcome) {
        String expected = future.task().value(future.upstreams().size());
        if (outcome.getValueBytes() > 0) {
            return outcome.getValueBytes() > expected.length();
        }
        try {
            Object value = CodeReader.read(outcome.getInline().toByteArray(), ScenarioRun.class.getClassLoader());
            return expected.equals(value);
        } catch (IOException | ClassNotFoundException unreadable) {
            return false;
        }
    }
}
