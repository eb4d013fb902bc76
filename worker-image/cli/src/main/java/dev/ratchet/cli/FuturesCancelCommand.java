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

/**
 * {@code ratchet futures cancel}: ends futures without a result, and what their code has submitted; what depends on
 * them fails.
 */
@Command(
        name = "cancel",
        description = "Cancels futures with what their code has submitted; exit code 1 if one named could not be.",
        mixinStandardHelpOptions = true)
final class FuturesCancelCommand implements Callable<Integer> {

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
            boolean all = FutureEnding.end(gateway, futures, filter, false, out);
            out.flush();
            return all ? 0 : 1;
        }
    }
}
