/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.Actor;
import dev.ratchet.client.ActorCall;
import dev.ratchet.client.ActorRead;
import dev.ratchet.client.ActorReset;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.protocol.futures.v1.ArgumentKind;

/** An actor as its callers see it: a name from which its id follows, and the code that makes its state. */
final class RemoteActor<S> implements Actor<S> {

    private final RemoteRatchet ratchet;
    private final SubmitOptions options;
    private final String name;
    private final SerializableCallable<S> create;

    RemoteActor(RemoteRatchet ratchet, SubmitOptions options, String name, SerializableCallable<S> create) {
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
        return ratchet.submitCall(
                id(), ArgumentKind.ARGUMENT_KIND_ACTOR, how.withoutReconstruction(), new ActorCall<>(create, body));
    }

    @Override
    public <T> DurableFuture<T> call(SerializableFunction<S, T> body) {
        return call(options, body);
    }

    @Override
    public <T> DurableFuture<T> read(SubmitOptions how, SerializableFunction<S, T> body) {
        return ratchet.submitCall(
                id(),
                ArgumentKind.ARGUMENT_KIND_ACTOR_COPY,
                how.withoutReconstruction(),
                new ActorRead<>(create, body));
    }

    @Override
    public <T> DurableFuture<T> read(SerializableFunction<S, T> body) {
        return read(options, body);
    }

    @Override
    public DurableFuture<Boolean> reset() {
        return ratchet.submitCall(
                id(), ArgumentKind.ARGUMENT_KIND_ACTOR, options.withoutReconstruction(), new ActorReset<>(create));
    }

    private FutureId id() {
        return FutureId.ofKey(options.tenant(), "actor " + name);
    }
}
