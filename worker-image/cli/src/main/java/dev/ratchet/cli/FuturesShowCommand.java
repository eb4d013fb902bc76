/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.cli.view.TerminalText;
import dev.ratchet.cli.view.View;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.DescribeRequest;
import dev.ratchet.protocol.client.v1.FutureDescription;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ratchet futures show}: everything about one future. */
@Command(name = "show", description = "Shows one future.", mixinStandardHelpOptions = true)
final class FuturesShowCommand extends ViewCommand {

    @Parameters(paramLabel = "FUTURE", description = "id of a future")
    private FutureId future;

    @Override
    View look(GatewayConnection gateway) {
        FutureDescription described = describe(gateway, future);
        return View.ofOne(FutureView.section(List.of(described)), out -> show(out, described, future));
    }

    static FutureDescription describe(GatewayConnection gateway, FutureId id) {
        return GatewayConnection.await(gateway.call((stub, answer) ->
                stub.describe(DescribeRequest.newBuilder().setId(Ids.bytes(id)).build(), answer)));
    }

    private static void show(PrintWriter out, FutureDescription future, FutureId id) {
        out.println("future       " + id);
        out.println("state        " + Lifecycle.word(future.getState()));
        if (!future.getWaitsFor().isEmpty()) {
            out.println("waits for    " + TerminalText.line(future.getWaitsFor()));
        }
        out.println("job          " + TerminalText.line(future.getJob()));
        if (!future.getName().isEmpty()) {
            out.println("name         " + TerminalText.line(future.getName()));
        }
        out.println("tenant       " + TerminalText.line(future.getTenant()));
        if (future.getPriority() != 0) {
            out.println("priority     " + future.getPriority());
        }
        if (!future.getParent().isEmpty()) {
            out.println("parent       " + Ids.of(future.getParent()));
        }
        out.println("attempts     " + future.getAttempts() + " of " + (future.getMaxRetries() + 1));
        if (future.getReconstructions() > 0) {
            out.println("recomputed   " + future.getReconstructions());
        }
        out.println("upstreams    " + future.getUpstreams());
        if (future.hasClaim()) {
            out.println("last claim   " + future.getClaim().getSeat() + ", incarnation "
                    + future.getClaim().getIncarnation() + ", epoch "
                    + future.getClaim().getEpoch());
        }
        if (future.hasProgress()) {
            out.println("progress     " + TerminalText.line(FutureView.progress(FutureView.json(future))) + ", said "
                    + Instant.ofEpochMilli(future.getProgress().getSaidWallMillis()));
        }
        out.println("submitted    " + Instant.ofEpochMilli(future.getSubmittedWallMillis()));
        if (future.getDoneWallMillis() > 0) {
            out.println("done         " + Instant.ofEpochMilli(future.getDoneWallMillis()));
        }
        if (future.getValueBytes() > 0) {
            out.println("value        " + future.getValueBytes() + " bytes"
                    + (future.getHoldersCount() == 0 ? "" : " at " + String.join(", ", future.getHoldersList())));
        }
        if (future.hasFailure()) {
            out.println("last failure " + future.getFailure().getType() + ": "
                    + TerminalText.lines(future.getFailure().getMessage()));
            out.print(TerminalText.lines(future.getFailure().getStackTrace()));
        }
    }
}
