/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.store.environment.Environment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command talks to, and as whom. */
class ConnectionMixin {

    private static final int TIMEOUT_SECONDS_MAX = 3_600;

    @Option(
            names = "--connection",
            paramLabel = "FILE",
            description = "the key 'connection' of the client's Secret; default $RATCHET_CONNECTION")
    private @Nullable Path connection;

    @Option(
            names = "--endpoint",
            paramLabel = "HOST:PORT",
            description = "ask this worker instead of those of the connection; may be repeated")
    private List<String> endpoints = new ArrayList<>();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long to look for a worker (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds = 30;

    ConnectionOptions options() {
        if (timeoutSeconds < 1 || timeoutSeconds > TIMEOUT_SECONDS_MAX) {
            throw new InvalidInputException(
                    "--timeout is 1 to " + TIMEOUT_SECONDS_MAX + " seconds, not " + timeoutSeconds + ".");
        }
        ConnectionOptions options =
                connection == null ? ConnectionOptions.fromEnvironment() : ConnectionOptions.ofFile(connection);
        for (String endpoint : endpoints) {
            if (!endpoint.matches("(\\[[0-9a-fA-F:]+\\]|[^:]+):[0-9]{1,5}")) {
                throw new InvalidInputException("--endpoint is HOST:PORT, not '" + endpoint + "'.");
            }
            options = options.withEndpoint(endpoint);
        }
        return options.withConnectTimeout(Duration.ofSeconds(timeoutSeconds));
    }

    /** Whether the caller, or the environment, names a cluster. */
    boolean isGiven() {
        return connection != null || System.getenv(ConnectionOptions.ENVIRONMENT_VARIABLE) != null;
    }

    GatewayConnection open(Environment environment) {
        return GatewayConnection.open(options(), environment);
    }
}
