/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.ClientHub;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import io.grpc.BindableService;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the tasks of this worker clients of their own cluster: all of them share one connection to this very worker's
 * gateway, which does not leave the process. What a task does there is what any client can do, by the same code.
 */
public final class TaskClients implements AutoCloseable {

    /** How long a task's call is tried while the store does not answer. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(10);

    private final String name;
    private final FutureStore store;
    private final Loopback loopback;
    private final GatewayConnection connection;
    private final ClientHub hub;
    private @Nullable Runnable stopServing;

    /** @param name of the gateway within this process; nobody else's */
    public TaskClients(String namespace, String cluster, String name, FutureStore store, Loopback loopback) {
        this.store = store;
        this.name = name;
        this.loopback = loopback;
        this.connection = new GatewayConnection(
                namespace, cluster, List.of(name), loopback::dial, store.environment(), CALL_TIMEOUT);
        this.hub = new ClientHub(connection, CALL_TIMEOUT);
    }

    /** Opens the gateway to the tasks of this process. @throws IOException if the name is taken */
    public void serve(BindableService gateway) throws IOException {
        stopServing = loopback.serve(name, gateway);
    }

    /**
     * The context of one attempt.
     *
     * @param artifacts digests of the code of the task, which is that of its children, too
     * @param slot what the thread of the attempt occupies
     */
    public RunningTask context(FutureId id, FutureRecord record, List<ByteString> artifacts, Slot slot) {
        String tenant = record.getSchedulingSpec().getTenant();
        StagedStore staged = new StagedStore(store, tenant.isEmpty() ? SchedulingSpecs.DEFAULT_TENANT : tenant);
        return new RunningTask(new AttemptContext(() -> hub, id, record, artifacts, slot, staged), staged, slot);
    }

    @Override
    public void close() {
        connection.close();
        if (stopServing != null) {
            stopServing.run();
        }
    }
}
