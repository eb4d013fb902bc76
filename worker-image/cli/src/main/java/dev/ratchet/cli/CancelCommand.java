/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.store.environment.SystemEnvironment;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ratchet cancel}: ends futures without a result; what depends on them fails. */
@Command(
        name = "cancel",
        description = "Cancels futures, running ones included; exit code 1 if one could not be cancelled.",
        mixinStandardHelpOptions = true)
final class CancelCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConnectionMixin connection;

    @Parameters(arity = "1..1000", paramLabel = "FUTURE", description = "ids of futures")
    private List<String> futures;

    @Override
    public Integer call() {
        List<FutureId> ids = futures.stream().map(FutureId::parse).toList();
        CancelRequest.Builder request = CancelRequest.newBuilder();
        ids.forEach(id -> request.addIds(Ids.bytes(id)));
        PrintWriter out = spec.commandLine().getOut();
        try (SystemEnvironment environment = new SystemEnvironment();
                GatewayConnection gateway = connection.open(environment)) {
            CancelReply reply =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.cancel(request.build(), answer)));
            Set<FutureId> cancelled = new HashSet<>();
            reply.getCancelledList().forEach(id -> cancelled.add(Ids.of(id)));
            ids.forEach(id -> out.println(id + (cancelled.contains(id) ? " cancelled" : " done before, or unknown")));
            out.flush();
            return cancelled.containsAll(ids) ? 0 : 1;
        }
    }
}
