/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.NotSerializableTaskException;
import dev.ratchet.client.TaskContext;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.actor.Snapshot;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.log.TaskOutput;
import dev.ratchet.futures.nesting.CurrentTask;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStoreFullException;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.protocol.futures.v1.Copy;
import dev.ratchet.protocol.futures.v1.FailureKind;
import dev.ratchet.protocol.futures.v1.Result;
import dev.ratchet.protocol.futures.v1.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one future on the thread of its slot: reads the inputs with the user's classes, calls the user's code,
 * and keeps the result. Whatever the user's code throws becomes the attempt's failure and never leaves this class.
 */
final class Task {

    /** Larger results go into the object store. */
    static final int INLINE_BYTES_MAX = 10_000;

    private final Claimed claimed;
    private final TaskInputs.Gathered.Ready inputs;
    private final ObjectStore objects;
    private final LiveActors actors;
    private final ActorStates states;
    private LiveActors.@Nullable Held actor;

    Task(
            Claimed claimed,
            TaskInputs.Gathered.Ready inputs,
            ObjectStore objects,
            LiveActors actors,
            ActorStates states) {
        this.claimed = claimed;
        this.inputs = inputs;
        this.objects = objects;
        this.actors = actors;
        this.states = states;
    }

    /** Runs to the end; the caller closes the function. */
    Outcome run(TaskContext context) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        TaskOutput.attribute(claimed.id());
        CurrentTask.set(context);
        thread.setContextClassLoader(inputs.function().classLoader());
        try {
            return attempt();
        } finally {
            thread.setContextClassLoader(before);
            CurrentTask.set(null);
            TaskOutput.attribute(null);
        }
    }

    private Outcome attempt() {
        LoadedFunction.Invocation invocation;
        Object argument;
        try {
            invocation = inputs.function().prepare(inputs.values());
            argument = argument();
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError unusable) {
            return new Outcome.Failed(
                    Failures.of(
                            FailureKind.FAILURE_KIND_CODE,
                            unusable,
                            claimed.token().getSeat()),
                    true);
        }
        byte[] result;
        byte[] state;
        try {
            result = CodeWriter.writeResult(invocation.call(argument));
            state = stateOfActor();
        } catch (NotSerializableTaskException unserializable) {
            return failed(FailureKind.FAILURE_KIND_RESULT, unserializable, true);
        } catch (OutOfMemoryError exhausted) {
            return failed(FailureKind.FAILURE_KIND_OUT_OF_MEMORY, exhausted, false);
        } catch (VirtualMachineError | Exception thrown) {
            return failed(FailureKind.FAILURE_KIND_EXCEPTION, thrown, false);
        } catch (Error thrown) {
            return failed(FailureKind.FAILURE_KIND_EXCEPTION, thrown, thrown instanceof LinkageError);
        }
        Outcome outcome = keep(result);
        return actor != null && outcome instanceof Outcome.Realized realized
                ? new Outcome.Realized(realized.result(), leave(actor, state))
                : outcome;
    }

    /** What the call leaves; empty if it is no call, or leaves nothing. */
    private byte[] stateOfActor() {
        Object left = actor == null ? null : actor.get();
        byte[] state = left == null ? new byte[0] : CodeWriter.writeResult(left);
        if (state.length > ActorStates.BYTES_MAX) {
            throw new NotSerializableTaskException("The state of the actor has " + state.length
                    + " bytes when serialised, more than the limit of " + ActorStates.BYTES_MAX + ".");
        }
        return state;
    }

    private Effects leave(LiveActors.Held held, byte[] state) {
        FutureId id = Ids.of(claimed.record().getActor());
        ByteString writer = ActorStates.writer(claimed.id(), claimed.token().getEpoch());
        actors.put(id, writer, held, inputs.function().classLoader());
        return states.change(id, inputs.actor(), new Snapshot(writer, UnsafeByteOperations.unsafeWrap(state)));
    }

    private @Nullable Object argument() throws IOException, ClassNotFoundException {
        ClassLoader loader = inputs.function().classLoader();
        return switch (claimed.record().getArgumentKind()) {
            case ARGUMENT_KIND_VALUE -> CodeReader.read(inputs.argument(), loader, inputs.values());
            case ARGUMENT_KIND_UPSTREAM -> value(0);
            case ARGUMENT_KIND_ACTOR -> {
                actor = actors.take(Ids.of(claimed.record().getActor()), inputs.actor(), loader);
                yield actor;
            }
            case ARGUMENT_KIND_UPSTREAMS -> {
                List<@Nullable Object> values = new ArrayList<>();
                int count = claimed.record().getArgumentUpstreams();
                for (int i = 0; i < count; i++) {
                    values.add(value(i));
                }
                yield values;
            }
            default -> null;
        };
    }

    private @Nullable Object value(int upstream) throws IOException, ClassNotFoundException {
        byte[] bytes = inputs.values().get(inputs.upstreams().get(upstream));
        if (bytes == null) {
            throw new IOException("The value of upstream " + upstream + " is missing");
        }
        return CodeReader.read(bytes, inputs.function().classLoader(), inputs.values());
    }

    private Outcome keep(byte[] result) {
        if (result.length <= INLINE_BYTES_MAX) {
            return new Outcome.Realized(Result.newBuilder()
                    .setInline(com.google.protobuf.UnsafeByteOperations.unsafeWrap(result))
                    .build());
        }
        ObjectStore.Stored stored;
        try {
            stored = objects.put(new ObjectName(claimed.id(), claimed.token().getEpoch()), result);
        } catch (ObjectStoreFullException | java.io.UncheckedIOException full) {
            return failed(FailureKind.FAILURE_KIND_RESULT, full, false);
        }
        return new Outcome.Realized(Result.newBuilder()
                .setObject(StoredObject.newBuilder()
                        .setBytes(stored.bytes())
                        .setChecksum(stored.checksum())
                        .setEpoch(claimed.token().getEpoch())
                        .addCopies(Copy.newBuilder()
                                .setSeat(claimed.token().getSeat())
                                .setIncarnation(claimed.token().getIncarnation())))
                .build());
    }

    private Outcome failed(FailureKind kind, Throwable thrown, boolean permanent) {
        return new Outcome.Failed(Failures.of(kind, thrown, claimed.token().getSeat()), permanent);
    }
}
