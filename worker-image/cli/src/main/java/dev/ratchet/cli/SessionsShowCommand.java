/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.DescribeSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ratchet sessions show}. */
@Command(name = "show", description = "Shows all that is known of a session.", mixinStandardHelpOptions = true)
final class SessionsShowCommand extends ViewCommand {

    @Parameters(paramLabel = "SESSION", description = "id of a session")
    private String session = "";

    @Override
    void check() {
        var unused = SessionView.id(session);
    }

    @Override
    View look(GatewayConnection gateway) {
        DescribeSessionRequest request = DescribeSessionRequest.newBuilder()
                .setId(SessionIds.bytes(SessionView.id(session)))
                .build();
        SessionDescription described =
                GatewayConnection.await(gateway.call((stub, answer) -> stub.describeSession(request, answer)));
        return View.ofOne(SessionView.section(List.of(described)), out -> show(out, described));
    }

    private static void show(PrintWriter out, SessionDescription described) {
        SessionView.json(described)
                .properties()
                .forEach(field -> out.println(String.format("%-13s", field.getKey())
                        + TerminalText.line(field.getValue().asText())));
    }
}
