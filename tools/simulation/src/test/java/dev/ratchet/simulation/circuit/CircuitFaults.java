/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import dev.ratchet.simulation.network.Network;
import dev.ratchet.simulation.store.StoreFaults;
import dev.ratchet.simulation.world.VirtualProcess;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What happens to the processes, links, clocks and the store of a circuit's cluster, one fault after the other, until
 * it has to end; then everything is whole again and every seat has a process.
 */
final class CircuitFaults {

    /** What may happen. */
    enum Fault {
        KILL,
        KILL_COORDINATOR,
        PAUSE,
        CUT_WORKERS,
        CUT_TO_STORE,
        CUT_FROM_STORE,
        DISTURB_NETWORK,
        FAIL_STORE,
        SUSPEND,
        CRASH_STORE,
        SLOW_DISK,
        SKEW_CLOCK,
        TAKE_FOLDERS
    }

    /** Each as often as it is likely; what only some circuits have comes last. */
    private static final List<Fault> DRAWN = List.of(
            Fault.KILL,
            Fault.KILL,
            Fault.KILL_COORDINATOR,
            Fault.PAUSE,
            Fault.CUT_WORKERS,
            Fault.CUT_TO_STORE,
            Fault.CUT_FROM_STORE,
            Fault.DISTURB_NETWORK,
            Fault.FAIL_STORE,
            Fault.SUSPEND,
            Fault.CRASH_STORE,
            Fault.SLOW_DISK,
            Fault.SLOW_DISK,
            Fault.SKEW_CLOCK,
            Fault.TAKE_FOLDERS);

    private static final int PAUSE_MILLIS_MAX = 4_000;
    private static final int FAULT_MILLIS_MAX = 9_000;
    private static final int SYNC_MILLIS_MAX = 8_000;

    private final CircuitCluster circuit;
    private final Optional<CircuitFolders> folders;
    private final SimulatedCluster cluster;
    private final SplittableRandom random;
    private final Set<Fault> happened = EnumSet.noneOf(Fault.class);
    private boolean ended;
    private int open;
    private long lastBrokenMillis;

    CircuitFaults(CircuitCluster circuit, Optional<CircuitFolders> folders, SplittableRandom random) {
        this.circuit = circuit;
        this.folders = folders;
        this.cluster = circuit.cluster;
        this.random = random.split();
    }

    void begin() {
        cluster.later(random.nextInt(PAUSE_MILLIS_MAX), this::next);
    }

    private void next() {
        if (ended) {
            return;
        }
        happen();
        begin();
    }

    /** No fault begins any more; those that have begun end by themselves. */
    void end() {
        ended = true;
        lastBrokenMillis = cluster.world.millis();
    }

    /**
     * Whether all has been whole for longer than a store that is down, or a worker whose lease is nearly over, may go
     * unnoticed.
     */
    boolean areOver() {
        if (open > 0) {
            lastBrokenMillis = cluster.world.millis();
            return false;
        }
        cluster.network.healAll();
        cluster.network.disturb(0, 0);
        cluster.engine.setFaults(StoreFaults.NONE);
        for (int seat = 0; seat < circuit.workers.size(); seat++) {
            SimulatedWorker worker = circuit.workers.get(seat);
            if (worker.isGone()) {
                circuit.restart(seat, 0);
            }
            if (!worker.isHealthy()) {
                lastBrokenMillis = cluster.world.millis();
            }
        }
        return cluster.world.millis() - lastBrokenMillis > SimulatedCluster.LEASE.observerTtlMillis();
    }

    /** What has happened. */
    Set<Fault> happened() {
        return happened;
    }

    private void happen() {
        int seat = random.nextInt(circuit.workers.size());
        SimulatedWorker worker = circuit.workers.get(seat);
        VirtualProcess process = worker.process();
        int other = random.nextInt(circuit.workers.size());
        Fault fault = DRAWN.get(random.nextInt(folders.isPresent() ? DRAWN.size() : DRAWN.size() - 1));
        happened.add(fault);
        switch (fault) {
            case KILL -> kill(seat);
            case KILL_COORDINATOR -> cluster.coordinator().ifPresent(leader -> kill(circuit.workers.indexOf(leader)));
            case PAUSE -> during(process::pause, process::resume);
            case CUT_WORKERS -> cut(process, circuit.workers.get(other).process());
            case CUT_TO_STORE -> cut(process, Network.STORE);
            case CUT_FROM_STORE -> cut(Network.STORE, process);
            case DISTURB_NETWORK -> during(() -> cluster.network.disturb(20, 300), () -> cluster.network.disturb(0, 0));
            case FAIL_STORE ->
                during(
                        () -> cluster.engine.setFaults(new StoreFaults(40, 40, 20, 20, 60)),
                        () -> cluster.engine.setFaults(StoreFaults.NONE));
            case SUSPEND -> during(() -> circuit.suspend(true), () -> circuit.suspend(false));
            case CRASH_STORE -> cluster.engine.crash(random.nextInt(FAULT_MILLIS_MAX));
            case SLOW_DISK -> slowDisk(seat);
            case SKEW_CLOCK -> process.skewWallClock(random.nextInt(100_000) - 50_000);
            case TAKE_FOLDERS -> folders.ifPresent(here -> during(here::away, here::back));
        }
    }

    private void kill(int seat) {
        if (seat < 0) {
            return;
        }
        kill(seat, random.nextBoolean());
    }

    private void kill(int seat, boolean crashed) {
        SimulatedWorker killed = circuit.workers.get(seat);
        during(() -> circuit.kill(seat, crashed), () -> {
            if (circuit.workers.get(seat) == killed) {
                circuit.restart(seat, random.nextInt(3) - 1);
            }
        });
    }

    /** Its machine may go first: what is not stored on a slow disk is seldom told to be. */
    private void slowDisk(int seat) {
        boolean fails = random.nextBoolean();
        during(() -> circuit.slowDisk(seat, SYNC_MILLIS_MAX), () -> {
            circuit.slowDisk(seat, 0);
            if (fails && !ended) {
                kill(seat, true);
            }
        });
    }

    private void cut(Object from, Object to) {
        during(() -> cluster.network.cut(from, to), () -> cluster.network.heal(from, to));
    }

    private void during(Runnable begin, Runnable end) {
        open++;
        begin.run();
        cluster.later(random.nextInt(FAULT_MILLIS_MAX), () -> {
            open--;
            end.run();
        });
    }
}
