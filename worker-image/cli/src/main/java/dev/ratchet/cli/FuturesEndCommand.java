/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code ratchet futures cancel} and {@code kill}: two verbs for ending futures that are named or found, which differ
 * in what they ask for and in what they say.
 */
abstract class FuturesEndCommand extends GatewayCommand {

    private static final int CALL_MAX = 1_000;

    /** @param found states in which a filter that names none looks */
    private record Verb(boolean kill, Set<State> found, String total, String done, String other) {}

    private final Verb verb;

    @Mixin
    private FutureFilter filter;

    @Parameters(arity = "0..1000", paramLabel = "FUTURE", description = "ids of futures")
    private List<String> futures = new ArrayList<>();

    private List<FutureId> named = List.of();

    private FuturesEndCommand(Verb verb) {
        this.verb = verb;
    }

    /** Ends futures without a result, and what their code has submitted; what depends on them fails. */
    @Command(
            name = "cancel",
            description = "Cancels futures with what their code has submitted; exit code 1 if one named could not be.",
            mixinStandardHelpOptions = true)
    static final class Cancel extends FuturesEndCommand {
        Cancel() {
            super(new Verb(
                    false,
                    Set.of(
                            State.STATE_WAITING,
                            State.STATE_DELAYED,
                            State.STATE_QUEUED,
                            State.STATE_ASSIGNED,
                            State.STATE_CLAIMED,
                            State.STATE_LOST),
                    " futures cancelled",
                    " cancelled",
                    " done before, or unknown"));
        }
    }

    /** Ends running attempts, which count as lost and are tried again. */
    @Command(
            name = "kill",
            description = "Ends running attempts, which are tried again where retries are left. "
                    + "Exit code 1 if one was not running.",
            mixinStandardHelpOptions = true)
    static final class Kill extends FuturesEndCommand {
        Kill() {
            super(new Verb(true, Set.of(State.STATE_CLAIMED), " attempts killed", " killed", " was not running"));
        }
    }

    @Override
    void check() {
        filter.check();
        named = futures.stream().map(FutureId::parse).toList();
        if (named.isEmpty() == filter.isEmpty()) {
            throw new InvalidInputException("Give either ids of futures or options that choose them.");
        }
        if (filter.states().stream().anyMatch(state -> !verb.found.contains(State.valueOf("STATE_" + state.name())))) {
            throw new InvalidInputException(
                    "Futures that are " + filter.states() + " can not be ended like this; those" + " can that are "
                            + verb.found.stream().map(Lifecycle::word).sorted().toList() + ".");
        }
    }

    @Override
    int ask(GatewayConnection gateway, PrintWriter out) {
        if (named.isEmpty()) {
            endFound(gateway, out);
            return 0;
        }
        Set<FutureId> ended = end(gateway, named.stream().map(Ids::bytes).toList());
        named.forEach(id -> out.println(id + (ended.contains(id) ? verb.done : verb.other)));
        return ended.containsAll(named) ? 0 : 1;
    }

    private void endFound(GatewayConnection gateway, PrintWriter out) {
        ListRequest.Builder request = filter.request();
        if (request.getStatesCount() == 0) {
            request.addAllStates(verb.found);
        }
        List<ByteString> found = new ArrayList<>();
        int[] ended = {0};
        FutureFilter.read(gateway, request, future -> {
            found.add(future.getId());
            if (found.size() == CALL_MAX) {
                ended[0] += end(gateway, found).size();
                found.clear();
            }
            return true;
        });
        ended[0] += end(gateway, found).size();
        out.println(ended[0] + verb.total);
    }

    private Set<FutureId> end(GatewayConnection gateway, List<ByteString> ids) {
        Set<FutureId> ended = new HashSet<>();
        if (!ids.isEmpty()) {
            CancelRequest request =
                    CancelRequest.newBuilder().addAllIds(ids).setKill(verb.kill).build();
            CancelReply reply = GatewayConnection.await(gateway.call((stub, answer) -> stub.cancel(request, answer)));
            reply.getCancelledList().forEach(id -> ended.add(Ids.of(id)));
        }
        return ended;
    }
}
