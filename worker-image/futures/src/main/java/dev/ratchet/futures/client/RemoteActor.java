/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.Actor;
import dev.ratchet.client.ActorCall;
import dev.ratchet.client.ActorRead;
import dev.ratchet.client.ActorReset;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.PendingCallsExceededException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.record.Treatments;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import java.util.concurrent.atomic.AtomicInteger;

/** An actor as its callers see it: a name from which its id follows, and the code that makes its state. */
final class RemoteActor<S> implements Actor<S> {

    private final RemoteRatchet ratchet;
    private final SubmitOptions options;
    private final String name;
    private final SerializableCallable<S> create;
    private final int pendingMax;
    /** 0 = one after the other. */
    private final int concurrentMax;

    private final AtomicInteger pending = new AtomicInteger();

    RemoteActor(RemoteRatchet ratchet, SubmitOptions options, String name, SerializableCallable<S> create) {
        this(ratchet, options, name, create, Integer.MAX_VALUE, 0);
    }

    private RemoteActor(
            RemoteRatchet ratchet,
            SubmitOptions options,
            String name,
            SerializableCallable<S> create,
            int pendingMax,
            int concurrentMax) {
        this.pendingMax = pendingMax;
        this.concurrentMax = concurrentMax;
        this.ratchet = ratchet;
        this.options = options;
        this.name = name;
        this.create = create;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public <T> DurableFuture<T> call(SubmitOptions how, SerializableFunction<S, T> body) {
        return submit(ArgumentKind.ARGUMENT_KIND_ACTOR, how, new ActorCall<>(create, body));
    }

    @Override
    public <T> DurableFuture<T> call(SerializableFunction<S, T> body) {
        return call(options, body);
    }

    @Override
    public <T> DurableFuture<T> read(SubmitOptions how, SerializableFunction<S, T> body) {
        return submit(ArgumentKind.ARGUMENT_KIND_ACTOR_COPY, how, new ActorRead<>(create, body));
    }

    @Override
    public <T> DurableFuture<T> read(SerializableFunction<S, T> body) {
        return read(options, body);
    }

    @Override
    public DurableFuture<Boolean> reset() {
        return submit(ArgumentKind.ARGUMENT_KIND_ACTOR, options, new ActorReset<>(create));
    }

    @Override
    public Actor<S> withPendingCallsMax(int calls) {
        if (calls < 1) {
            throw new InvalidInputException("At least one call of an actor may be pending, not " + calls + ".");
        }
        return new RemoteActor<>(ratchet, options, name, create, calls, concurrentMax);
    }

    @Override
    public Actor<S> withConcurrentCallsMax(int calls) {
        if (calls < 1 || calls > Treatments.CONCURRENT_CALLS_MAX) {
            throw new InvalidInputException("Of the calls of an actor 1 to " + Treatments.CONCURRENT_CALLS_MAX
                    + " may run beside each other, not " + calls + ".");
        }
        return new RemoteActor<>(ratchet, options, name, create, pendingMax, calls == 1 ? 0 : calls);
    }

    private <T> DurableFuture<T> submit(ArgumentKind kind, SubmitOptions how, SerializableFunction<?, T> call) {
        if (pendingMax == Integer.MAX_VALUE) {
            return submitUnlimited(kind, how, call);
        }
        if (pending.incrementAndGet() > pendingMax) {
            pending.decrementAndGet();
            throw new PendingCallsExceededException("The actor " + name + " has " + pendingMax
                    + " calls of this caller without an outcome. Await some, or raise the limit.");
        }
        try {
            RemoteFuture<T> future = submitUnlimited(kind, how, call);
            future.onDone(pending::decrementAndGet);
            return future;
        } catch (RuntimeException refused) {
            pending.decrementAndGet();
            throw refused;
        }
    }

    private <T> RemoteFuture<T> submitUnlimited(ArgumentKind kind, SubmitOptions how, SerializableFunction<?, T> call) {
        String key = "actor " + name;
        FutureId actor = FutureId.ofKey(options.tenant(), key);
        return ratchet.submitCall(
                new TaskPackaging.Call(actor, key, concurrentMax), kind, how.withoutReconstruction(), call);
    }
}
