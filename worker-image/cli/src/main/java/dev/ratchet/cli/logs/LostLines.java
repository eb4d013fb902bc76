/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli.logs;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.DescribeRequest;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.client.v1.MemberStatus;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What can not be shown of a job or of futures, because the processes that printed it are gone: lines live in their
 * workers and end with them. Known are the last attempts of the first thousand futures, and who has realized any.
 */
public final class LostLines {

    private static final int FUTURES_MAX = 1_000;

    private LostLines() {}

    /** One sentence for each worker that is gone or has started again. */
    public static List<String> of(GatewayConnection gateway, StatusReply status, String job, List<ByteString> futures) {
        Map<String, Long> incarnations = new HashMap<>();
        for (MemberStatus member : status.getMembersList()) {
            incarnations.put(member.getSeat(), member.getIncarnation());
        }
        Map<String, TreeSet<Long>> ran = new TreeMap<>();
        for (FutureDescription future : described(gateway, job, futures)) {
            if (!future.getClaim().getSeat().isEmpty()) {
                ran.computeIfAbsent(future.getClaim().getSeat(), seat -> new TreeSet<>())
                        .add(future.getClaim().getIncarnation());
            }
        }
        if (!job.isEmpty()) {
            SummaryRequest request = SummaryRequest.newBuilder().setJob(job).build();
            SummaryReply summary =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.summary(request, answer)));
            summary.getRealizedBySeatList()
                    .forEach(one -> ran.computeIfAbsent(one.getSeat(), unused -> new TreeSet<>()));
        }
        List<String> lost = new ArrayList<>();
        ran.forEach((seat, processes) -> {
            Long present = incarnations.get(seat);
            if (present == null) {
                lost.add(seat + " is gone: what it printed is lost");
            } else if (!processes.isEmpty() && processes.first() < present) {
                lost.add(seat + " has started again since: what its former process printed is lost");
            }
        });
        return lost;
    }

    private static List<FutureDescription> described(GatewayConnection gateway, String job, List<ByteString> futures) {
        if (futures.isEmpty() && !job.isEmpty()) {
            ListRequest request =
                    ListRequest.newBuilder().setJob(job).setLimit(FUTURES_MAX).build();
            ListReply first = GatewayConnection.await(gateway.call((stub, answer) -> stub.list(request, answer)));
            return first.getFuturesList();
        }
        List<FutureDescription> described = new ArrayList<>();
        for (ByteString future : futures) {
            DescribeRequest request = DescribeRequest.newBuilder().setId(future).build();
            described.add(GatewayConnection.await(gateway.call((stub, answer) -> stub.describe(request, answer))));
        }
        return described;
    }
}
