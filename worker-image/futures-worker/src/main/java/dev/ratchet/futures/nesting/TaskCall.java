/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ActorCall;
import dev.ratchet.client.ActorRead;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.GivenState;
import dev.ratchet.futures.actor.Held;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.actor.StateAwayException;
import dev.ratchet.futures.client.CurrentTask;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.code.Serialized;
import dev.ratchet.futures.log.LogOwner;
import dev.ratchet.futures.log.TaskOutput;
import dev.ratchet.futures.model.Failures;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.Failure;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One call of users' code on the calling thread: reads the inputs with the user's classes, calls, and writes what comes
 * of it. Whatever the code throws becomes a failure and never leaves this class.
 */
public final class TaskCall {

    /**
     * What an attempt has gathered.
     *
     * @param argument serialised; empty if there is none of its own
     * @param upstreams first those that are the argument
     * @param values of each upstream
     * @param actor state of the actor that it calls
     * @param actors states of actors in this process
     */
    public record Inputs(
            LoadedFunction function,
            Serialized argument,
            List<FutureId> upstreams,
            Map<FutureId, Serialized> values,
            GivenState actor,
            LiveActors actors) {

        /** Those of a task that calls no actor. */
        public static Inputs withoutActor(
                LoadedFunction function,
                Serialized argument,
                List<FutureId> upstreams,
                Map<FutureId, Serialized> values) {
            return new Inputs(function, argument, upstreams, values, GivenState.NONE, new LiveActors());
        }
    }

    /** How the call has ended. */
    public sealed interface Ended {

        /**
         * The code has returned.
         *
         * @param value serialised
         * @param actor state that it leaves; empty if it is no call of an actor, or leaves none
         */
        record Returned(byte[] value, ByteString actor) implements Ended {}

        /** As {@link Returned}, and the value is in the object store already. */
        record Stored(ObjectStore.Stored value, ByteString actor) implements Ended {}

        /**
         * It has not.
         *
         * @param permanent whether another attempt would fail in the same way
         */
        record Threw(Failure failure, boolean permanent) implements Ended {}

        /** It was not called to its end, on account of another one. */
        record Displaced() implements Ended {}
    }

    private final FutureId id;
    private final FutureRecord record;
    private final Inputs inputs;
    /** The state that it has taken, and not put back yet. */
    private @Nullable Held actor;

    private ActorStorage<?> storage = ActorStorage.recorded();

    /** @param record as it was claimed */
    public TaskCall(FutureId id, FutureRecord record, Inputs inputs) {
        this.id = id;
        this.record = record;
        this.inputs = inputs;
    }

    /** Calls; the caller closes the function. */
    public Ended run(AttemptContext context) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        TaskOutput.attribute(new LogOwner(id, record.getJob()));
        CurrentTask.set(context);
        thread.setContextClassLoader(inputs.function().classLoader());
        try {
            return attempt(context);
        } finally {
            keepAfterFailure();
            thread.setContextClassLoader(before);
            CurrentTask.set(null);
            TaskOutput.attribute(null);
        }
    }

    private Ended attempt(AttemptContext context) {
        Callable<?> call;
        try {
            call = record.getActor().isEmpty()
                    ? inputs.function().prepare(inputs.values()).with(argument(context))
                    : callOfActor();
        } catch (StateAwayException gatheredInVain) {
            return new Ended.Displaced();
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError unusable) {
            return threw(FailureKind.FAILURE_KIND_CODE, unusable, true);
        }
        try {
            byte[] value = CodeWriter.writeValue("result", call.call());
            return new Ended.Returned(value, stateOfActor());
        } catch (NotSerializableTaskException unserializable) {
            return threw(FailureKind.FAILURE_KIND_RESULT, unserializable, true);
        } catch (OutOfMemoryError exhausted) {
            return threw(FailureKind.FAILURE_KIND_OUT_OF_MEMORY, exhausted, false);
        } catch (VirtualMachineError | Exception thrown) {
            return threw(FailureKind.FAILURE_KIND_EXCEPTION, thrown, false);
        } catch (Error thrown) {
            return threw(FailureKind.FAILURE_KIND_EXCEPTION, thrown, thrown instanceof LinkageError);
        }
    }

    private Ended threw(FailureKind kind, Throwable thrown, boolean permanent) {
        return new Ended.Threw(Failures.of(kind, thrown, record.getClaim().getSeat()), permanent);
    }

    /** What the call leaves; empty if it is no call, or leaves nothing. */
    private ByteString stateOfActor() throws Exception {
        Held held = actor;
        if (held == null) {
            return ByteString.EMPTY;
        }
        ByteString writer = ActorStates.writer(id, record.getClaim().getEpoch());
        ByteString state = held.left(writer, code(), storage);
        int bytesMax = inputs.actor().bytesMax();
        if (state.size() > bytesMax) {
            throw new NotSerializableTaskException("The state of the actor, or its checkpoint, has " + state.size()
                    + " bytes when serialised, more than the limit of " + bytesMax + ". "
                    + (bytesMax < ActorStates.BYTES_MAX
                            ? "The limit is " + ActorStates.BYTES_MAX
                                    + " once the upgrade of the cluster is finalized. "
                            : "")
                    + "Keep it in memory with Actor.checkpointed, and let the checkpoint name a file.");
        }
        ActorSnapshot after = inputs.actor().recorded().replacedBy(writer, state);
        inputs.actors()
                .put(
                        Ids.of(record.getActor()),
                        after.writer(),
                        held,
                        inputs.function().classLoader(),
                        storage.inMemory(),
                        state.size());
        actor = null;
        return state;
    }

    /** What is in memory alone outlives a failure: whatever that call has changed stays. */
    private void keepAfterFailure() {
        Held held = actor;
        if (held != null && storage.inMemory()) {
            inputs.actors()
                    .putBack(Ids.of(record.getActor()), held, inputs.function().classLoader());
        }
    }

    private ByteString code() {
        return ByteString.fromHex(Digests.ofArtifacts(inputs.function().artifacts()));
    }

    /** The call is the argument, and is applied to the state. */
    private Callable<?> callOfActor() throws IOException, ClassNotFoundException, StateAwayException {
        ClassLoader loader = inputs.function().classLoader();
        if (!(CodeReader.read(inputs.argument(), loader, inputs.values()) instanceof SerializableFunction<?, ?> body)) {
            throw new IOException("The argument is no call of an actor");
        }
        storage = storage(body);
        if (record.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR_COPY) {
            return bound(body, LiveActors.copy(inputs.actor(), loader, code(), storage));
        }
        Held held = inputs.actors().take(Ids.of(record.getActor()), inputs.actor(), loader, code(), storage);
        actor = held;
        return bound(body, held);
    }

    private static ActorStorage<?> storage(SerializableFunction<?, ?> body) {
        ActorStorage<?> asked =
                switch (body) {
                    case ActorCall<?, ?> call -> call.storage();
                    case ActorRead<?, ?> read -> read.storage();
                    default -> null;
                };
        return asked == null ? ActorStorage.recorded() : asked;
    }

    @SuppressWarnings("unchecked") // The client makes calls of actors of what applies to their states.
    private static <S> Callable<?> bound(SerializableFunction<S, ?> body, Held state) {
        return () -> {
            state.open();
            return body.apply((S) state);
        };
    }

    private @Nullable Object argument(AttemptContext context) throws IOException, ClassNotFoundException {
        ClassLoader loader = inputs.function().classLoader();
        return switch (record.getArgumentKind()) {
            case ARGUMENT_KIND_VALUE -> CodeReader.read(inputs.argument(), loader, inputs.values());
            case ARGUMENT_KIND_UPSTREAM -> value(0);
            case ARGUMENT_KIND_UPSTREAMS -> {
                List<@Nullable Object> values = new ArrayList<>();
                for (int i = 0; i < record.getArgumentUpstreams(); i++) {
                    values.add(value(i));
                }
                yield values;
            }
            default -> record.getSchedulingSpec().getItemsAhead() > 0 ? context.emitter() : null;
        };
    }

    private @Nullable Object value(int upstream) throws IOException, ClassNotFoundException {
        Serialized bytes = inputs.values().get(inputs.upstreams().get(upstream));
        if (bytes == null) {
            throw new IOException("The value of upstream " + upstream + " is missing");
        }
        return CodeReader.read(bytes, inputs.function().classLoader(), inputs.values());
    }
}
