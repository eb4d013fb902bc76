/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ActorState;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.code.CodeReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * States of actors as objects in the memory of this worker. One is used only where the store says that its own call was
 * the last to be recorded; a call takes it out and puts it back when it has succeeded, so that nobody sees what a
 * failed call has done to it. Safe for use by several threads.
 */
public final class LiveActors {

    private static final int ACTORS_MAX = 1_000;

    private final Map<FutureId, Live> actors = new LinkedHashMap<>(16, 0.75f, true);

    private record Live(ByteString writer, Object state, ClassLoader classes) {}

    /** A state in the hands of one call. */
    public static final class Held implements ActorState<Object> {

        private @Nullable Object state;

        private Held(@Nullable Object state) {
            this.state = state;
        }

        @Override
        public @Nullable Object get() {
            return state;
        }

        @Override
        public void set(@Nullable Object newState) {
            state = newState;
        }
    }

    /**
     * The state that is recorded, as an object.
     *
     * @throws IOException if the code can not read the recorded state
     * @throws ClassNotFoundException if the code lacks a class of it
     */
    public Held take(FutureId actor, Snapshot recorded, ClassLoader classes)
            throws IOException, ClassNotFoundException {
        Live live;
        synchronized (actors) {
            live = actors.remove(actor);
        }
        if (live != null && live.writer().equals(recorded.writer()) && live.classes() == classes) {
            return new Held(live.state());
        }
        return copy(recorded, classes);
    }

    /** A copy of the state that is recorded, which nobody else sees; fails as {@link #take} does. */
    public static Held copy(Snapshot recorded, ClassLoader classes) throws IOException, ClassNotFoundException {
        return new Held(
                recorded.bytes().isEmpty()
                        ? null
                        : CodeReader.read(recorded.bytes().toByteArray(), classes));
    }

    /** Gives what is kept of an actor to another one, in place of what that has. */
    public void move(FutureId actor, LiveActors to) {
        Live live;
        synchronized (actors) {
            live = actors.remove(actor);
        }
        if (live != null) {
            to.put(actor, live);
        }
    }

    /** Keeps what the attempt {@code writer} leaves. */
    public void put(FutureId actor, ByteString writer, Held held, ClassLoader classes) {
        Object state = held.get();
        if (state != null) {
            put(actor, new Live(writer, state, classes));
        }
    }

    private void put(FutureId actor, Live live) {
        synchronized (actors) {
            actors.put(actor, live);
            if (actors.size() > ACTORS_MAX) {
                actors.remove(actors.keySet().iterator().next());
            }
        }
    }
}
