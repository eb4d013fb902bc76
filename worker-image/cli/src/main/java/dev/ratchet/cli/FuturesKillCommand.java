/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet futures kill}: ends running attempts, which count as lost and are tried again. */
@Command(
        name = "kill",
        description = "Ends running attempts, which are tried again where retries are left. "
                + "Exit code 1 if one was not running.",
        mixinStandardHelpOptions = true)
final class FuturesKillCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Mixin
    private FutureFilter filter;

    @Parameters(arity = "0..1000", paramLabel = "FUTURE", description = "ids of futures")
    private List<String> futures = new ArrayList<>();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        futures.forEach(FutureId::parse);
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            boolean all = FutureEnding.end(gateway, futures, filter, true, out);
            out.flush();
            return all ? 0 : 1;
        }
    }
}
