/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.environment.Environment;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A worker in the process of the test, and a connection to it. */
record ServedGateway(Server server, GatewayConnection connection) implements AutoCloseable {

    /** @param timeout of the connection */
    static ServedGateway of(BindableService gateway, Environment environment, Duration timeout) throws IOException {
        String name = UUID.randomUUID().toString();
        Server server =
                InProcessServerBuilder.forName(name).addService(gateway).build().start();
        GatewayConnection connection = new GatewayConnection(
                "team-a",
                "orders",
                List.of(name),
                target -> InProcessChannelBuilder.forName(target).build(),
                environment,
                timeout);
        return new ServedGateway(server, connection);
    }

    @Override
    public void close() {
        connection.close();
        server.shutdownNow();
    }
}
