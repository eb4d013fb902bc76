/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.Actor;
import dev.ratchet.client.ActorCall;
import dev.ratchet.client.ActorRead;
import dev.ratchet.client.ActorReset;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.DurableFuture;
import dev.ratchet.client.FormerState;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.PendingCallsExceededException;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.SubmitOptions;
import dev.ratchet.futures.model.SchedulingSpecs;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An actor as its callers see it: a name from which its id follows, and the code that makes its state. */
final class RemoteActor<S> implements Actor<S> {

    private final RemoteRatchet ratchet;
    private final SubmitOptions options;
    private final String name;
    private final SerializableCallable<S> create;
    private final Settings<S> settings;

    private final AtomicInteger pending = new AtomicInteger();

    /**
     * What a caller has asked for.
     *
     * @param concurrentMax 0 = one after the other
     */
    private record Settings<S>(int pendingMax, int concurrentMax, ActorStorage<S> storage) {}

    RemoteActor(RemoteRatchet ratchet, SubmitOptions options, String name, SerializableCallable<S> create) {
        this(ratchet, options, name, create, new Settings<>(Integer.MAX_VALUE, 0, ActorStorage.recorded()));
    }

    private RemoteActor(
            RemoteRatchet ratchet,
            SubmitOptions options,
            String name,
            SerializableCallable<S> create,
            Settings<S> settings) {
        this.ratchet = ratchet;
        this.options = options;
        this.name = name;
        this.create = create;
        this.settings = settings;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public <T> DurableFuture<T> call(SubmitOptions how, SerializableFunction<S, T> body) {
        if (settings.storage().inMemory() && how.isolated()) {
            throw new InvalidInputException("The state of the actor " + name
                    + " is in the memory of a worker, so its calls can not be isolated from that.");
        }
        return submit(ArgumentKind.ARGUMENT_KIND_ACTOR, how, new ActorCall<>(create, body, storage()));
    }

    @Override
    public <T> DurableFuture<T> call(SerializableFunction<S, T> body) {
        return call(options, body);
    }

    @Override
    public <T> DurableFuture<T> read(SubmitOptions how, SerializableFunction<S, T> body) {
        return settings.storage().inMemory()
                ? call(how, body)
                : submit(ArgumentKind.ARGUMENT_KIND_ACTOR_COPY, how, new ActorRead<>(create, body, storage()));
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
        return with(new Settings<>(calls, settings.concurrentMax(), settings.storage()));
    }

    @Override
    public Actor<S> withConcurrentCallsMax(int calls) {
        if (calls < 1 || calls > SchedulingSpecs.CONCURRENT_CALLS_MAX) {
            throw new InvalidInputException("Of the calls of an actor 1 to " + SchedulingSpecs.CONCURRENT_CALLS_MAX
                    + " may run beside each other, not " + calls + ".");
        }
        return with(new Settings<>(settings.pendingMax(), calls == 1 ? 0 : calls, settings.storage()));
    }

    @Override
    public Actor<S> inMemory() {
        return with(new ActorStorage<>(true, 0, null, null, settings.storage().migrate()));
    }

    @Override
    public <C> Actor<S> checkpointed(int everyCalls, SerializableFunction<S, C> save, SerializableFunction<C, S> load) {
        if (everyCalls < 1) {
            throw new InvalidInputException(
                    "A checkpoint is made after each call at most, and not every " + everyCalls + " calls.");
        }
        return with(new ActorStorage<>(
                true, everyCalls, save, load, settings.storage().migrate()));
    }

    @Override
    public Actor<S> withMigration(SerializableFunction<FormerState, S> migrate) {
        ActorStorage<S> as = settings.storage();
        return with(new ActorStorage<>(as.inMemory(), as.checkpointCalls(), as.save(), as.load(), migrate));
    }

    private Actor<S> with(ActorStorage<S> storage) {
        return with(new Settings<>(settings.pendingMax(), settings.concurrentMax(), storage));
    }

    private Actor<S> with(Settings<S> other) {
        if (other.storage().inMemory() && other.concurrentMax() > 0) {
            throw new InvalidInputException("The state of the actor " + name
                    + " is in the memory of a worker and has no copies for calls that run beside each other.");
        }
        return new RemoteActor<>(ratchet, options, name, create, other);
    }

    /** What travels of it: nothing of what is usual. */
    private @Nullable ActorStorage<S> storage() {
        return settings.storage().equals(ActorStorage.recorded()) ? null : settings.storage();
    }

    private <T> DurableFuture<T> submit(ArgumentKind kind, SubmitOptions how, SerializableFunction<?, T> call) {
        if (settings.pendingMax() == Integer.MAX_VALUE) {
            return submitUnlimited(kind, how, call);
        }
        if (pending.incrementAndGet() > settings.pendingMax()) {
            pending.decrementAndGet();
            throw new PendingCallsExceededException("The actor " + name + " has " + settings.pendingMax()
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
                new TaskPackaging.Call(actor, key, settings.concurrentMax()), kind, how.withoutReconstruction(), call);
    }
}
