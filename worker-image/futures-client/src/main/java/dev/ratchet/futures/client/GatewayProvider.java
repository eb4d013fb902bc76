/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.Ratchet;
import dev.ratchet.client.RatchetProvider;
import dev.ratchet.client.TaskContext;
import dev.ratchet.environment.SystemEnvironment;
import java.util.Optional;

/** Makes connections for {@link Ratchet#connect}; each has threads of its own. */
public final class GatewayProvider implements RatchetProvider {

    @Override
    public Ratchet connect(ConnectionOptions options) {
        SystemEnvironment environment = new SystemEnvironment();
        GatewayConnection connection = null;
        try {
            connection = GatewayConnection.open(options, environment);
            return new RemoteRatchet(connection, options, environment);
        } catch (RuntimeException failure) {
            if (connection != null) {
                connection.close();
            }
            environment.close();
            throw failure;
        }
    }

    @Override
    public Optional<TaskContext> task() {
        return CurrentTask.get();
    }
}
