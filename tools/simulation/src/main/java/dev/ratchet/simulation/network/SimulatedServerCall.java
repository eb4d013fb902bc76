/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One call, at the end of who serves it.
 *
 * @param <Q> requests
 * @param <A> answers
 */
final class SimulatedServerCall<Q, A> extends ServerCall<Q, A> {

    private final NetworkCall<Q, A> caller;
    private final VirtualProcess callee;
    private final MethodDescriptor<Q, A> method;
    private final Deque<Q> arrived = new ArrayDeque<>();
    private @Nullable Listener<Q> listener;
    private int asked;
    private boolean halfClosed;
    private boolean cancelled;
    private boolean closed;

    SimulatedServerCall(NetworkCall<Q, A> caller, VirtualProcess callee, MethodDescriptor<Q, A> method) {
        this.caller = caller;
        this.callee = callee;
        this.method = method;
    }

    @SuppressWarnings("unchecked") // The method was looked up by the name of the caller's, which fixes its types.
    void start(ServerMethodDefinition<?, ?> definition) {
        serve(() -> {
            Listener<Q> served = ((ServerMethodDefinition<Q, A>) definition)
                    .getServerCallHandler()
                    .startCall(this, new Metadata());
            listener = served;
            served.onReady();
            deliver();
        });
    }

    void arrived(Q request) {
        arrived.add(request);
        serve(this::deliver);
    }

    void halfClosed() {
        halfClosed = true;
        serve(this::deliver);
    }

    /** As gRPC does: what serves a call and throws ends it. */
    private void serve(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error thrown) {
            if (!callee.isFrail()) {
                throw thrown;
            }
            callee.world().note(callee + " ends a call because of " + thrown);
            if (!closed) {
                closed = true;
                caller.toCaller(
                        () -> caller.closed(Status.UNKNOWN.withDescription("Application error processing RPC")));
            }
            if (listener != null && !cancelled) {
                cancelled = true;
                listener.onCancel();
            }
        }
    }

    void cancelled() {
        if (!cancelled && !closed && listener != null) {
            cancelled = true;
            listener.onCancel();
        }
    }

    private void deliver() {
        while (!cancelled && listener != null && asked > 0 && !arrived.isEmpty()) {
            asked--;
            listener.onMessage(arrived.remove());
        }
        if (halfClosed && !cancelled && listener != null && arrived.isEmpty()) {
            halfClosed = false;
            listener.onHalfClose();
        }
    }

    @Override
    public void request(int messages) {
        asked += messages;
        if (listener != null) {
            deliver();
        }
    }

    @Override
    public void sendHeaders(Metadata headers) {
        // The caller learns nothing from them.
    }

    @Override
    public void sendMessage(A answer) {
        callee.mayStray("a message of an answer");
        caller.toCaller(() -> caller.answered(answer));
    }

    @Override
    public void close(Status status, Metadata trailers) {
        closed = true;
        caller.toCaller(() -> caller.closed(status));
        if (listener != null) {
            listener.onComplete();
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
        return method;
    }
}
