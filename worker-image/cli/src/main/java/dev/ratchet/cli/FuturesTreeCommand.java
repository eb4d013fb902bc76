/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListRequest;
import java.io.PrintWriter;
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
final class FuturesTreeCommand extends GatewayCommand {

    private static final int LINES_MAX = 10_000;
    private static final int INDENT_MAX = 60;

    @Parameters(paramLabel = "FUTURE", description = "id of a future")
    private FutureId future;

    private record Node(FutureDescription future, int depth) {}

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        Deque<Node> open = new ArrayDeque<>();
        open.push(new Node(FuturesShowCommand.describe(gateway, future), 0));
        for (int lines = 0; !open.isEmpty(); lines++) {
            if (lines == LINES_MAX) {
                out.println("... and more");
                break;
            }
            Node node = open.pop();
            out.println(line(node));
            List<FutureDescription> children = new ArrayList<>();
            FutureFilter.read(
                    gateway, ListRequest.newBuilder().setParent(node.future().getId()), child -> {
                        children.add(child);
                        return children.size() < LINES_MAX;
                    });
            children.reversed().forEach(child -> open.push(new Node(child, node.depth() + 1)));
        }
        return 0;
    }

    private static String line(Node node) {
        FutureDescription future = node.future();
        return "  ".repeat(Math.min(INDENT_MAX, node.depth()))
                + Ids.of(future.getId()) + "  " + Lifecycle.word(future.getState())
                + (future.getName().isEmpty() ? "" : "  " + TerminalText.line(future.getName()))
                + (future.getClaim().getSeat().isEmpty()
                        ? ""
                        : "  " + future.getClaim().getSeat());
    }
}
