/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.circuit.CircuitClient;
import dev.ratchet.client.ConnectionOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.client.ConnectionDocument;
import dev.ratchet.futures.client.GatewayConnection;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Which cluster a command talks to, and as whom; how one says so depends on the program. */
public abstract class ConnectionMixin {

    private static final int TIMEOUT_SECONDS_MAX = 3_600;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long to look for a worker (default: ${DEFAULT-VALUE})")
    private int timeoutSeconds = 30;

    /** The cluster that is named. @throws InvalidInputException if none is, or it can not be found */
    protected abstract ConnectionOptions named();

    /** The same cluster, with the addresses at which its circuit is to be asked. @throws InvalidInputException alike */
    protected abstract ConnectionDocument namedCircuit();

    /** Whether the caller, or the environment, names a cluster. */
    protected abstract boolean isGiven();

    final ConnectionOptions options() {
        return named().withConnectTimeout(timeout());
    }

    private Duration timeout() {
        if (timeoutSeconds < 1 || timeoutSeconds > TIMEOUT_SECONDS_MAX) {
            throw new InvalidInputException(
                    "--timeout is 1 to " + TIMEOUT_SECONDS_MAX + " seconds, not " + timeoutSeconds + ".");
        }
        return Duration.ofSeconds(timeoutSeconds);
    }

    GatewayConnection open(Environment environment) {
        return GatewayConnection.open(options(), environment);
    }

    /** @throws InvalidInputException if the cluster has no circuit */
    CircuitClient openCircuit() {
        Duration timeout = timeout();
        return new CircuitClient(namedCircuit(), timeout);
    }
}
