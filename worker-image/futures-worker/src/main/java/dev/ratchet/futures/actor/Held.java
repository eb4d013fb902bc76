/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ratchet.client.ActorState;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.FormerState;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.CodeWriter;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A state in the hands of one call: what is recorded of it, the object, and what is to be recorded after the call. Used
 * by one thread.
 */
public final class Held implements ActorState<Object> {

    private static final AtomicLong TAKEN = new AtomicLong();

    private final long number = TAKEN.incrementAndGet();
    private final ActorSnapshot recorded;
    private final LiveActors.@Nullable Live live;
    private @Nullable Callable<?> opening;
    private @Nullable Object state;
    private int calls;

    private Held(ActorSnapshot recorded, LiveActors.@Nullable Live live, @Nullable Object state) {
        this.recorded = recorded;
        this.live = live;
        this.state = state;
        this.calls = live == null ? 0 : live.calls();
    }

    /** One that is in the memory of this worker. */
    static Held of(ActorSnapshot recorded, LiveActors.Live live) {
        return new Held(recorded, live, live.state());
    }

    /**
     * One by what is recorded of it.
     *
     * @param code names the code of the call
     * @throws IOException if that can not read the recorded state
     * @throws ClassNotFoundException if it lacks a class of it
     * @throws StateAwayException if it is in pieces, which are not here
     */
    static Held read(GivenState given, ClassLoader classes, ByteString code, ActorStorage<?> storage)
            throws IOException, ClassNotFoundException, StateAwayException {
        StateImage image = StateImage.of(given.recorded().bytes());
        Held held = new Held(given.recorded(), null, null);
        ByteString recorded = image.isInPieces() ? given.content() : image.content();
        if (recorded.isEmpty()) {
            if (image.isInPieces()) {
                throw new StateAwayException(given.recorded());
            }
            return held;
        }
        SerializableFunction<FormerState, ?> migrate = storage.migrate();
        if (migrate != null && !image.code().equals(code)) {
            FormerState former = new FormerState(image.codeName(), recorded.toByteArray());
            held.opening = () -> migrate.apply(former);
            return held;
        }
        Object content = content(image, recorded, classes);
        if (image.kind() == StateImage.Kind.RECORDED) {
            held.state = content;
            return held;
        }
        held.opening = loading(storage, content);
        return held;
    }

    @SuppressWarnings("unchecked") // What has saved the checkpoint is of the same actor as what loads it.
    private static Callable<?> loading(ActorStorage<?> storage, @Nullable Object checkpoint) throws IOException {
        SerializableFunction<Object, ?> load = (SerializableFunction<Object, ?>) storage.load();
        if (load == null || checkpoint == null) {
            throw new IOException("The actor has a checkpoint. Call it through Actor.checkpointed, which can load it.");
        }
        return () -> load.apply(checkpoint);
    }

    private static @Nullable Object content(StateImage image, ByteString recorded, ClassLoader classes)
            throws IOException, ClassNotFoundException {
        try {
            return CodeReader.read(recorded::newInput, classes, Map.of());
        } catch (IOException unreadable) {
            throw new IOException(
                    "The state of the actor was left by the code "
                            + (image.code().isEmpty() ? "of an earlier version" : image.codeName())
                            + ", and the code of this call can not read it: " + unreadable
                            + ". Actor.withMigration says what becomes of it.",
                    unreadable);
        }
    }

    /** How many were taken in this process up to this one. */
    long number() {
        return number;
    }

    /** Makes the state of what is recorded, where users' code does that. */
    public void open() throws Exception {
        if (opening != null) {
            state = opening.call();
            opening = null;
        }
    }

    @Override
    public @Nullable Object get() {
        return state;
    }

    @Override
    public void set(@Nullable Object newState) {
        state = newState;
    }

    /**
     * What is to be recorded; empty if there is no state.
     *
     * @param writer names the attempt
     * @param code names its code
     */
    @SuppressWarnings("unchecked") // What saves the state is of the actor.
    public ByteString left(ByteString writer, ByteString code, ActorStorage<?> storage) throws Exception {
        if (state == null) {
            return ByteString.EMPTY;
        }
        if (!storage.inMemory()) {
            return StateImage.recorded(code, written("state of the actor", state))
                    .bytes();
        }
        calls++;
        SerializableFunction<Object, ?> save = (SerializableFunction<Object, ?>) storage.save();
        boolean goesOn = live != null && recorded.isInMemory();
        if (goesOn && (save == null || calls < storage.checkpointCalls())) {
            return recorded.bytes();
        }
        calls = 0;
        ByteString checkpoint = save == null ? ByteString.EMPTY : written("checkpoint of the actor", save.apply(state));
        return StateImage.inMemory(code, writer, checkpoint).bytes();
    }

    private static ByteString written(String what, @Nullable Object object) {
        return UnsafeByteOperations.unsafeWrap(CodeWriter.writeValue(what, object));
    }

    /** Calls since the last checkpoint. */
    int calls() {
        return calls;
    }

    /** What it was in memory; null if it was not. */
    LiveActors.@Nullable Live live() {
        return live;
    }

    /** Whether a failed call may leave it in memory: nobody else can have another one that counts. */
    boolean staysAfterFailure() {
        return live != null || recorded.equals(ActorSnapshot.NONE);
    }

    ActorSnapshot recorded() {
        return recorded;
    }
}
