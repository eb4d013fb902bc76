/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.model.SessionIds;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import dev.ratchet.protocol.sessions.v1.SessionState;
import java.io.PrintWriter;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet sessions close}: for those whose owners are gone, or do not let go. */
@Command(
        name = "close",
        description = "Closes a session: its futures may end, and its slots are free then.",
        mixinStandardHelpOptions = true)
final class SessionsCloseCommand extends GatewayCommand {

    @Parameters(paramLabel = "SESSION", description = "id of a session")
    private String session = "";

    @Option(names = "--cancel", description = "cancels its futures instead of waiting for them")
    private boolean cancel;

    @Override
    void check() {
        var unused = SessionView.id(session);
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        UUID id = SessionView.id(session);
        CloseSessionRequest request = CloseSessionRequest.newBuilder()
                .setId(SessionIds.bytes(id))
                .setCancel(cancel)
                .build();
        SessionDescription closed =
                GatewayConnection.await(gateway.call((stub, answer) -> stub.closeSession(request, answer)));
        SessionState state = closed.getRecord().getState();
        out.println(id + " "
                + (state == SessionState.SESSION_STATE_CLOSING
                        ? "closing"
                        : "is over: " + state.name().replace("SESSION_STATE_", "")));
        return 0;
    }
}
