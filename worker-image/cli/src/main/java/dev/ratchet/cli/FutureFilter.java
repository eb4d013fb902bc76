/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.cli;

import dev.ratchet.client.FutureState;
import dev.ratchet.futures.client.GatewayConnection;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which futures a command is about, and how they are read page by page. */
final class FutureFilter {

    @Option(names = "--job", paramLabel = "NAME", description = "of this job")
    private @Nullable String job;

    @Option(names = "--state", paramLabel = "STATE", description = "in this state; may be repeated", split = ",")
    private List<FutureState> states = new ArrayList<>();

    @Option(names = "--tenant", paramLabel = "NAME", description = "of this tenant")
    private @Nullable String tenant;

    @Option(names = "--seat", paramLabel = "SEAT", description = "claimed last by this worker")
    private @Nullable String seat;

    @Option(names = "--name", paramLabel = "NAME", description = "with exactly this name")
    private @Nullable String name;

    /**
     * Refuses an option without a value, as a variable of a script that is not set leaves it: it would choose all
     * futures there are.
     */
    void check() {
        GatewayCommand.requireValue("--job", job);
        GatewayCommand.requireValue("--tenant", tenant);
        GatewayCommand.requireValue("--seat", seat);
        GatewayCommand.requireValue("--name", name);
    }

    List<FutureState> states() {
        return states;
    }

    boolean isEmpty() {
        return job == null && states.isEmpty() && tenant == null && seat == null && name == null;
    }

    ListRequest.Builder request() {
        ListRequest.Builder request = ListRequest.newBuilder()
                .setJob(or(job))
                .setTenant(or(tenant))
                .setSeat(or(seat))
                .setName(or(name));
        states.forEach(state -> request.addStates(State.valueOf("STATE_" + state.name())));
        return request;
    }

    private static String or(@Nullable String given) {
        return given == null ? "" : given;
    }

    /** Reads pages until there are no more, or until {@code wanted} says false to a future. */
    static void read(GatewayConnection gateway, ListRequest.Builder request, Predicate<FutureDescription> wanted) {
        do {
            ListReply page =
                    GatewayConnection.await(gateway.call((stub, answer) -> stub.list(request.build(), answer)));
            for (FutureDescription future : page.getFuturesList()) {
                if (!wanted.test(future)) {
                    return;
                }
            }
            request.setAfter(page.getNext());
        } while (!request.getAfter().isEmpty());
    }
}
