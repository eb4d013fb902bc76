/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.log.LogFilter;
import dev.ratchet.protocol.client.v1.LogsReply;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.logs.v1.LogPage;
import java.util.List;

/**
 * Which lines are wanted, and how a page of them is asked for. What a worker of the release before does not know of the
 * question is left out of its answer here.
 */
public final class LineQuery {

    private final GatewayConnection gateway;
    private final String job;
    private final List<ByteString> futures;
    private final String pattern;
    private final LogFilter filter;

    /** @throws dev.ratchet.client.InvalidInputException if {@code pattern} is no regular expression */
    public LineQuery(GatewayConnection gateway, String job, List<ByteString> futures, String pattern) {
        this.gateway = gateway;
        this.job = job;
        this.futures = List.copyOf(futures);
        this.pattern = pattern;
        this.filter = LogFilter.of(job, futures, pattern);
    }

    LogPage forward(String seat, long from, int limit) {
        return page(LogsRequest.newBuilder().setSeat(seat).setFrom(from).setLimit(limit));
    }

    /** @param before a line's number; 0 = up to the newest */
    LogPage backward(String seat, long before, int limit) {
        return page(LogsRequest.newBuilder()
                .setSeat(seat)
                .setTail(true)
                .setBefore(before)
                .setLimit(limit));
    }

    private LogPage page(LogsRequest.Builder request) {
        request.setJob(job).setPattern(pattern);
        if (futures.size() == 1) {
            request.setFuture(futures.getFirst());
        } else {
            request.addAllFutures(futures);
        }
        LogsReply reply = GatewayConnection.await(gateway.call((stub, answer) -> stub.logs(request.build(), answer)));
        LogPage page = reply.getPage();
        return page.toBuilder()
                .clearLines()
                .addAllLines(
                        page.getLinesList().stream().filter(filter::matches).toList())
                .build();
    }
}
