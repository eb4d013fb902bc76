/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ratchet.cli.view.Column;
import dev.ratchet.cli.view.Section;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ratchet futures tree}: a future with what its code has submitted, to any depth. */
@Command(
        name = "tree",
        description = "Shows a future and the futures that its code has submitted, at most 10,000.",
        mixinStandardHelpOptions = true)
final class FuturesTreeCommand extends ViewCommand {

    private static final int FUTURES_MAX = 10_000;
    private static final int INDENT_MAX = 60;

    private static final List<Column> COLUMNS = List.of(
            new Column(
                    "FUTURE",
                    future -> "  "
                                    .repeat(Math.min(
                                            INDENT_MAX, future.path("depth").asInt()))
                            + future.path("id").asText()),
            Column.of("STATE", "state"),
            Column.of("NAME", "name"),
            Column.of("WORKER", "seat"));

    @Parameters(paramLabel = "FUTURE", description = "id of a future")
    private FutureId future;

    private record Node(FutureDescription future, int depth) {}

    @Override
    View look(GatewayConnection gateway) {
        Deque<Node> open = new ArrayDeque<>();
        open.push(new Node(FuturesShowCommand.describe(gateway, future), 0));
        List<ObjectNode> found = new ArrayList<>();
        while (!open.isEmpty() && found.size() < FUTURES_MAX) {
            Node node = open.pop();
            found.add(FutureView.json(node.future()).put("depth", node.depth()));
            List<FutureDescription> children = new ArrayList<>();
            FutureFilter.read(
                    gateway, ListRequest.newBuilder().setParent(node.future().getId()), child -> {
                        children.add(child);
                        return children.size() < FUTURES_MAX;
                    });
            children.reversed().forEach(child -> open.push(new Node(child, node.depth() + 1)));
        }
        View view = new View().section(new Section("futures", "future", "id", COLUMNS, found));
        view.fields().put("more", !open.isEmpty());
        return open.isEmpty() ? view : view.ending("... and more");
    }
}
