/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ratchet workers}: who works. */
@Command(name = "workers", description = "Shows the workers of a cluster.", mixinStandardHelpOptions = true)
final class WorkersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            StatusCommand.workers(StatusCommand.status(gateway)).print(out);
        }
        out.flush();
        return 0;
    }
}
