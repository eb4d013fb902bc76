/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.environment.Environment;
import dev.ratchet.protocol.security.BoundedLog;
import dev.ratchet.protocol.security.CallerIdentity;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.RetryAfter;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Owns how many calls each client has open and begins, and refuses those above its share, saying when to try again. A
 * call counts until it has ended, whoever ends it. Only clients are counted: workers and the operator are part of the
 * cluster. Safe for use by several threads.
 */
final class ClientShares implements ServerInterceptor {

    static final long RETRY_AFTER_MILLIS = 200;
    private static final int ALL_CLIENTS_FACTOR = 2;
    private static final BoundedLog LOG = new BoundedLog(LoggerFactory.getLogger(ClientShares.class));

    private final ClientLimits limits;
    private final Environment environment;
    private final Map<String, Share> shares = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();

    ClientShares(ClientLimits limits, Environment environment) {
        this.limits = limits;
        this.environment = environment;
    }

    /** Calls of clients that are open now. */
    int open() {
        return open.get();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Identity caller = CallerIdentity.current();
        if (caller.kind() != Kind.CLIENT) {
            return next.startCall(call, headers);
        }
        Share share = shares.computeIfAbsent(caller.name(), name -> new Share());
        String refusal = share.refusal();
        if (refusal != null) {
            LOG.warn(
                    "Call refused for now: caller={} method={} reason={}",
                    caller,
                    call.getMethodDescriptor().getFullMethodName(),
                    refusal);
            call.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            caller + " " + refusal + ". Try again in " + RETRY_AFTER_MILLIS + " ms"),
                    RetryAfter.trailers(RETRY_AFTER_MILLIS));
            return new ServerCall.Listener<>() {};
        }
        try {
            return new Counted<>(next.startCall(call, headers), share);
        } catch (RuntimeException | Error failure) {
            share.ended();
            throw failure;
        }
    }

    /** One client's. */
    private final class Share {
        private int calls;
        private double allowance = (double) limits.callsPerSecond();
        private long refilledNanos = environment.nanoTime();

        /** Why a call can not be begun now; null if it is begun. */
        synchronized @Nullable String refusal() {
            long now = environment.nanoTime();
            double perSecond = (double) limits.callsPerSecond();
            allowance = Math.min(perSecond, allowance + (double) (now - refilledNanos) * 1e-9 * perSecond);
            refilledNanos = now;
            if (allowance < 1) {
                return "begins more than " + limits.callsPerSecond() + " calls per second";
            }
            if (calls >= limits.openCalls()) {
                return "has " + calls + " calls open, and " + limits.openCalls() + " is the limit of one client";
            }
            if (open.get() >= ALL_CLIENTS_FACTOR * (long) limits.openCalls()) {
                return "has to wait, because all clients have " + open.get() + " calls open";
            }
            allowance--;
            calls++;
            open.incrementAndGet();
            return null;
        }

        synchronized void ended() {
            calls--;
            open.decrementAndGet();
        }
    }

    private static final class Counted<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Share share;
        private final AtomicBoolean ended = new AtomicBoolean();

        Counted(ServerCall.Listener<Q> listener, Share share) {
            super(listener);
            this.share = share;
        }

        @Override
        public void onCancel() {
            end();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            end();
            super.onComplete();
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                share.ended();
            }
        }
    }
}
