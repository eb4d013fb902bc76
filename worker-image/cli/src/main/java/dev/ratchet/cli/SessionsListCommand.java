/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.google.protobuf.ByteString;
import dev.ratchet.cli.view.View;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.sessions.v1.ListSessionsReply;
import dev.ratchet.protocol.sessions.v1.ListSessionsRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ratchet sessions list}. */
@Command(
        name = "list",
        description = "Lists the sessions that wait, are open, or are closing.",
        mixinStandardHelpOptions = true)
final class SessionsListCommand extends ViewCommand {

    @Option(names = "--ended", description = "those that have ended in the last ten minutes, too")
    private boolean ended;

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "only those that have this label; may be repeated")
    private Map<String, String> labels = new TreeMap<>();

    @Override
    View look(GatewayConnection gateway) {
        List<SessionDescription> found = new ArrayList<>();
        ByteString after = ByteString.EMPTY;
        do {
            ListSessionsRequest request = ListSessionsRequest.newBuilder()
                    .setEndedToo(ended)
                    .putAllLabels(labels)
                    .setAfter(after)
                    .build();
            ListSessionsReply page =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.listSessions(request, answer)));
            found.addAll(page.getSessionsList());
            after = page.getNext();
        } while (!after.isEmpty());
        View view = new View().section(SessionView.section(found));
        if (found.isEmpty()) {
            view.note(
                    labels.isEmpty()
                            ? "There are no sessions."
                            : "No session has the labels " + SessionView.labels(labels) + ".");
        }
        return view;
    }
}
