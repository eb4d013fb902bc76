/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.Database;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.simulated.SimulatedTask;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.simulation.cluster.SimulatedProgram;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scenarios in which a program floods the cluster and clients are removed: what others have submitted ends as if
 * neither had happened. More seeds: {@code -Dratchet.clientSeeds=1000}.
 */
class ClientScenarioTest extends Scenarios {

    /** The lease of a program, and two sweeps. */
    private static final long FORGOTTEN_MILLIS = 240_000;

    @TempDir
    Path directory;

    static LongStream seeds() {
        long first = Long.getLong("ratchet.firstSeed", 1);
        return LongStream.range(first, first + Integer.getInteger("ratchet.clientSeeds", 30));
    }

    @Override
    Scenario scenario(long seed) {
        return super.scenario(seed).withClients();
    }

    @Test
    void whatOnlyARemovedClientHeldIsForgottenThoughItsProcessLives() {
        try (FuturesCluster futures = new FuturesCluster(1, 3, directory)) {
            SimulatedProgram removed = new SimulatedProgram(futures.cluster, "removed", new HashSet<>());
            SimulatedProgram stays = new SimulatedProgram(futures.cluster, "stays", new HashSet<>());
            removed.hold(new SimulatedTask(1, 10, SimulatedTask.Kind.LARGE), 1);
            stays.hold(new SimulatedTask(2, 10, SimulatedTask.Kind.LARGE), 1);
            futures.cluster.world.until("both know their results", 30_000, () -> removed.isDone() && stays.isDone());
            FutureId gone = removed.held().getFirst();
            FutureId kept = stays.held().getFirst();
            removed.remove();
            futures.cluster.world.until("it is forgotten", FORGOTTEN_MILLIS, () -> !exists(futures, gone));
            assertThat(exists(futures, kept)).isTrue();
        }
    }

    private static boolean exists(FuturesCluster futures, FutureId id) {
        Database database = futures.cluster.database;
        FutureKeys keys = new FutureKeys(futures.cluster.keyspace);
        return futures.cluster
                .await(database.readAsync(transaction -> keys.record(transaction, id)))
                .isPresent();
    }
}
