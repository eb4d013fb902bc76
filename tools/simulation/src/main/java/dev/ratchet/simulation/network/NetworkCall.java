/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call, at the end of its caller. Messages in one direction arrive in order, and only as many as were asked for; a
 * broken call ends at both ends. Deadlines, which gRPC measures by the real clock, are taken in whole seconds.
 *
 * @param <Q> requests
 * @param <A> answers
 */
final class NetworkCall<Q, A> extends ClientCall<Q, A> {

    private static final Status REMOVED = Status.PERMISSION_DENIED.withDescription("the client was removed");

    private final Network network;
    private final VirtualProcess caller;
    private final String address;
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final Consumer<NetworkCall<?, ?>> over;
    private final Deque<Runnable> towardsServer = new ArrayDeque<>();
    private final Deque<Runnable> towardsCaller = new ArrayDeque<>();
    private final Deque<A> arrived = new ArrayDeque<>();
    private @Nullable Listener<A> listener;
    private @Nullable SimulatedServerCall<Q, A> server;
    private VirtualProcess callee;
    private int asked;
    private boolean ended;
    private boolean refused;
    private @Nullable Status closing;

    NetworkCall(
            Network network,
            VirtualProcess caller,
            String address,
            MethodDescriptor<Q, A> method,
            CallOptions options,
            Consumer<NetworkCall<?, ?>> over) {
        this.network = network;
        this.caller = caller;
        this.callee = caller;
        this.address = address;
        this.method = method;
        this.options = options;
        this.over = over;
    }

    @Override
    public void start(Listener<A> answers, Metadata headers) {
        caller.mayStray("the start of a call");
        listener = answers;
        if (network.isRemoved(caller)) {
            network.world().at(0, caller, () -> end(REMOVED));
            return;
        }
        Network.Server target = refused ? null : network.server(address);
        if (target == null) {
            network.world().at(0, caller, () -> end(Status.UNAVAILABLE.withDescription(address + " refused")));
            return;
        }
        callee = target.process();
        network.opened(this);
        toServer(() -> open(target));
        Deadline deadline = options.getDeadline();
        if (deadline != null) {
            long seconds = Math.max(1, (deadline.timeRemaining(TimeUnit.MILLISECONDS) + 999) / 1_000);
            network.world().at(seconds * 1_000_000_000L, caller, () -> cancelled(Status.DEADLINE_EXCEEDED));
        }
    }

    private void open(Network.Server target) {
        var definition = target.methods().get(method.getFullMethodName());
        if (definition == null) {
            toCaller(
                    () -> end(Status.UNIMPLEMENTED.withDescription(address + " has no " + method.getFullMethodName())));
            return;
        }
        server = new SimulatedServerCall<>(this, callee, method);
        server.start(definition);
    }

    @Override
    public void request(int messages) {
        asked += messages;
        network.world().at(0, caller, this::deliver);
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        cancelled(Status.CANCELLED.withDescription(message).withCause(cause));
    }

    /** It will not even begin. */
    void refuse() {
        refused = true;
    }

    void cancelled(Status status) {
        if (!ended) {
            toServer(() -> reach(SimulatedServerCall::cancelled));
            end(status);
        }
    }

    @Override
    public void halfClose() {
        toServer(() -> reach(SimulatedServerCall::halfClosed));
    }

    @Override
    public void sendMessage(Q message) {
        caller.mayStray("a message of a call");
        toServer(() -> reach(open -> open.arrived(message)));
    }

    private void reach(Consumer<SimulatedServerCall<Q, A>> action) {
        if (server != null) {
            action.accept(server);
        }
    }

    private void toServer(Runnable arrival) {
        towardsServer.add(arrival);
        network.send(this, caller, callee, () -> runNext(towardsServer));
    }

    void toCaller(Runnable arrival) {
        towardsCaller.add(arrival);
        network.send(this, callee, caller, () -> runNext(towardsCaller));
    }

    private static void runNext(Deque<Runnable> arrivals) {
        Runnable next = arrivals.poll();
        if (next != null) {
            next.run();
        }
    }

    void answered(A answer) {
        arrived.add(answer);
        deliver();
    }

    void closed(Status status) {
        closing = status;
        deliver();
    }

    private void deliver() {
        while (!ended && asked > 0 && !arrived.isEmpty() && listener != null) {
            asked--;
            A answer = arrived.remove();
            try {
                caller.mayStray("the receipt of an answer");
                listener.onMessage(answer);
            } catch (RuntimeException | Error thrown) {
                // As gRPC does.
                cancelled(Status.CANCELLED
                        .withDescription("Failed to read message.")
                        .withCause(thrown));
                return;
            }
        }
        if (closing != null && arrived.isEmpty()) {
            end(closing);
        }
    }

    /** The connection broke: both ends are told, each if it still can be. */
    void reset(Status status, String why) {
        network.world().at(0, caller, () -> end(status.withDescription(why)));
        network.world().at(0, callee, () -> reach(SimulatedServerCall::cancelled));
    }

    void removed(VirtualProcess client) {
        if (client == caller) {
            reset(REMOVED, "the client was removed");
        }
    }

    void died(VirtualProcess process) {
        if (process == caller || process == callee) {
            reset(Status.UNAVAILABLE, "connection reset: " + process + " died");
        }
    }

    private void end(Status status) {
        if (!ended && listener != null) {
            ended = true;
            network.ended(this);
            over.accept(this);
            listener.onClose(status, new Metadata());
        }
    }
}
