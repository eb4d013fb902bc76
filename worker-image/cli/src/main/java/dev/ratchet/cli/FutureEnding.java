/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ends futures that are named or found, and says what came of it. */
final class FutureEnding {

    private static final int CALL_MAX = 1_000;
    private static final List<State> OPEN = List.of(
            State.STATE_WAITING,
            State.STATE_DELAYED,
            State.STATE_QUEUED,
            State.STATE_ASSIGNED,
            State.STATE_CLAIMED,
            State.STATE_LOST);

    private FutureEnding() {}

    /** Ends those named, or else those that the filter finds; whether all those named could be. */
    static boolean end(
            GatewayConnection gateway, List<String> named, FutureFilter filter, boolean kill, PrintWriter out) {
        if (named.isEmpty() == filter.isEmpty()) {
            throw new InvalidInputException("Give either ids of futures or options that choose them.");
        }
        if (!named.isEmpty()) {
            return endNamed(gateway, named, kill, out);
        }
        ListRequest.Builder request = filter.request();
        if (kill) {
            request.clearStates().addStates(State.STATE_CLAIMED);
        } else if (request.getStatesCount() == 0) {
            request.addAllStates(OPEN);
        }
        List<ByteString> found = new ArrayList<>();
        int[] ended = {0};
        FutureFilter.read(gateway, request, future -> {
            found.add(future.getId());
            if (found.size() == CALL_MAX) {
                ended[0] += call(gateway, found, kill).size();
                found.clear();
            }
            return true;
        });
        ended[0] += call(gateway, found, kill).size();
        out.println(ended[0] + (kill ? " attempts killed" : " futures cancelled"));
        return true;
    }

    private static boolean endNamed(GatewayConnection gateway, List<String> named, boolean kill, PrintWriter out) {
        List<FutureId> ids = named.stream().map(FutureId::parse).toList();
        Set<FutureId> ended = call(gateway, ids.stream().map(Ids::bytes).toList(), kill);
        String done = kill ? " killed" : " cancelled";
        String other = kill ? " was not running" : " done before, or unknown";
        ids.forEach(id -> out.println(id + (ended.contains(id) ? done : other)));
        return ended.containsAll(ids);
    }

    private static Set<FutureId> call(GatewayConnection gateway, List<ByteString> ids, boolean kill) {
        Set<FutureId> ended = new HashSet<>();
        if (!ids.isEmpty()) {
            CancelRequest request =
                    CancelRequest.newBuilder().addAllIds(ids).setKill(kill).build();
            CancelReply reply = GatewayConnection.await(gateway.call((stub, answer) -> stub.cancel(request, answer)));
            reply.getCancelledList().forEach(id -> ended.add(Ids.of(id)));
        }
        return ended;
    }
}
