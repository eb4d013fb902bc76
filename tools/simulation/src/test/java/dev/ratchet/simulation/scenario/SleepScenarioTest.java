/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ratchet.client.FutureId;
import dev.ratchet.membership.LeaseSettings;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.simulation.cluster.SimulatedCluster;
import dev.ratchet.simulation.cluster.SimulatedWorker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that sleep for longer than others wait for them; every rule is looked at throughout. */
class SleepScenarioTest {

    private static final LeaseSettings LEASE = SimulatedCluster.LEASE;
    private static final long TTL_MILLIS = LEASE.observerTtlMillis();
    private static final long LONG_MILLIS = 10 * TTL_MILLIS;

    /** For so long a process that goes on may still do what it should not. */
    private static final long RESIDUE_MILLIS = LEASE.tickMillis() + LEASE.killWaitMillis() + LEASE.killLatencyMillis();

    @TempDir
    Path directory;

    private FuturesCluster futures;
    private SimulatedCluster cluster;

    @BeforeEach
    void start() {
        futures = new FuturesCluster(1, 3, directory);
        cluster = futures.cluster;
        cluster.cutProbes();
    }

    @AfterEach
    void close() {
        futures.close();
    }

    @Test
    void whatWasTakenFromAMachineThatSleptIsStoppedThoughNobodyHasRecordedItsDeath() {
        SimulatedWorker leader = cluster.coordinator().orElseThrow();
        FutureId id = futures.submit(LONG_MILLIS, false);
        while (futures.runner(id) == leader) {
            id = futures.submit(LONG_MILLIS, false);
        }
        FutureId taken = id;
        SimulatedWorker slept = futures.runner(taken);
        slept.process().suspend();
        cluster.world.run(TTL_MILLIS - 2 * LEASE.beatMillis());
        leader.cutFromStore();
        cluster.world.until(
                "its claim is released",
                TTL_MILLIS,
                () -> futures.record(taken).getState() != State.STATE_CLAIMED || futures.times(taken) == 2);

        slept.process().resume();
        cluster.world.until("another one runs it", 2 * TTL_MILLIS, () -> futures.times(taken) == 2);
        cluster.world.run(RESIDUE_MILLIS);

        assertThat(slept.isGone()).as("the machine that slept is gone").isFalse();
        assertThat(slept.seat().incarnation()).isEqualTo(1);
        assertThat(futures.executions.live(slept.process()))
                .as("executions on the machine that slept")
                .isZero();
    }

    @Test
    void aMachineThatSleptAndDoesNotReachTheStoreEndsBeforeItsMonotonicClockSaysSo() {
        FutureId id = futures.submit(LONG_MILLIS, false);
        SimulatedWorker slept = futures.runner(id);
        slept.process().suspend();
        cluster.world.until("another one runs it", 2 * TTL_MILLIS, () -> futures.times(id) == 2);
        slept.cutFromStore();
        slept.process().resume();
        cluster.world.run(RESIDUE_MILLIS);
        assertThat(slept.isGone()).as("ended: " + slept.lostReason()).isTrue();
    }
}
