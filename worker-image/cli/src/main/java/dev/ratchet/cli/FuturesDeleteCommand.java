/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.DeleteReply;
import dev.ratchet.protocol.client.v1.DeleteRequest;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ratchet futures delete}: removes futures with their results; 1 if one of them is unknown. */
@Command(
        name = "delete",
        description = "Removes futures with their results; what is not done is cancelled first.",
        mixinStandardHelpOptions = true)
final class FuturesDeleteCommand extends GatewayCommand {

    @Parameters(arity = "1..1000", paramLabel = "FUTURE", description = "ids of futures")
    private List<String> futures;

    private List<FutureId> ids = List.of();

    @Override
    void check() {
        ids = futures.stream().map(FutureId::parse).toList();
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        DeleteRequest.Builder request = DeleteRequest.newBuilder();
        ids.forEach(id -> request.addIds(Ids.bytes(id)));
        DeleteReply reply =
                GatewayConnection.await(gateway.call((stub, answer) -> stub.delete(request.build(), answer)));
        Set<FutureId> deleted = new HashSet<>();
        reply.getDeletedList().forEach(id -> deleted.add(Ids.of(id)));
        ids.forEach(id -> out.println(id + (deleted.contains(id) ? " deleted" : " unknown")));
        return deleted.containsAll(ids) ? 0 : 1;
    }
}
