/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.LogsReply;
import dev.ratchet.protocol.client.v1.LogsRequest;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ratchet logs}: the last lines of a worker, or what a future has printed. */
@Command(
        name = "logs",
        description = "Shows the last lines of a worker, or of the last attempt at a future.",
        mixinStandardHelpOptions = true)
final class LogsCommand extends GatewayCommand {

    private static final Pattern FUTURE = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final int PAGE_LINES = 1_000;
    private static final long FOLLOW_MILLIS = 1_000;

    @Option(names = "--tail", paramLabel = "N", description = "only the last N lines, at most 1000")
    private @Nullable Integer tail;

    @Option(
            names = {"-f", "--follow"},
            description = "go on with what comes, until interrupted")
    private boolean follow;

    @Parameters(paramLabel = "SEAT|FUTURE", description = "name of a worker, or id of a future")
    private String what;

    @Override
    void check() {
        requireValue("SEAT|FUTURE", what);
        if (tail != null && (tail < 1 || tail > PAGE_LINES)) {
            throw new InvalidInputException("--tail is 1 to " + PAGE_LINES + ", not " + tail + ".");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) throws InterruptedException {
        boolean isFuture = FUTURE.matcher(what).matches();
        LogsRequest.Builder request = LogsRequest.newBuilder()
                .setSeat(isFuture ? "" : what)
                .setFuture(isFuture ? Ids.bytes(FutureId.parse(what)) : ByteString.EMPTY)
                .setLimit(tail == null ? PAGE_LINES : tail)
                .setTail(tail != null);
        boolean again;
        do {
            LogsReply reply =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.logs(request.build(), answer)));
            reply.getPage().getLinesList().forEach(line -> out.println(line.getText()));
            out.flush();
            request.setFrom(reply.getPage().getNext()).setTail(false).setLimit(PAGE_LINES);
            again = reply.getPage().getMore();
            if (!again && follow) {
                TimeUnit.MILLISECONDS.sleep(FOLLOW_MILLIS);
                again = true;
            }
        } while (again);
        return 0;
    }
}
