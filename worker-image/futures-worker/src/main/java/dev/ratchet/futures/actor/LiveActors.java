/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.FutureId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * States of actors as objects in the memory of this worker. One is used only where the store says that its own call was
 * the last to be recorded; a call takes it out and puts it back when it has succeeded, so that nobody sees what a
 * failed call has done to it. What is kept in memory alone is put back after a failure, too, and closed when it is of
 * no use any more. Safe for use by several threads.
 */
public final class LiveActors {

    private static final Logger LOG = LoggerFactory.getLogger(LiveActors.class);

    private static final int ACTORS_MAX = 1_000;

    private final Map<FutureId, Live> actors = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A state.
     *
     * @param writer names the attempt that has left what is recorded of it
     * @param inMemory whether this is all there is of it
     * @param calls since its last checkpoint
     */
    record Live(ByteString writer, Object state, ClassLoader classes, boolean inMemory, int calls) {}

    /**
     * The state that is recorded, as an object.
     *
     * @param code names the code of the call
     * @throws IOException if the code can not read the recorded state
     * @throws ClassNotFoundException if the code lacks a class of it
     */
    public Held take(
            FutureId actor, ActorSnapshot recorded, ClassLoader classes, ByteString code, ActorStorage<?> storage)
            throws IOException, ClassNotFoundException {
        Live live;
        synchronized (actors) {
            live = actors.remove(actor);
        }
        if (live != null) {
            if (live.writer().equals(recorded.writer()) && live.classes() == classes) {
                return Held.of(recorded, live);
            }
            close(live);
        }
        return Held.read(recorded, classes, code, storage);
    }

    /** A copy of the state that is recorded, which nobody else sees; fails as {@link #take} does. */
    public static Held copy(ActorSnapshot recorded, ClassLoader classes, ByteString code, ActorStorage<?> storage)
            throws IOException, ClassNotFoundException {
        if (recorded.isInMemory()) {
            throw new IOException("The state of the actor is in the memory of a worker, and has no copies. Read it"
                    + " through Actor.inMemory or Actor.checkpointed.");
        }
        return Held.read(recorded, classes, code, storage);
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
    public void put(FutureId actor, ByteString writer, Held held, ClassLoader classes, boolean inMemory) {
        Object state = held.get();
        Live before = held.live();
        if (before != null && before.state() != state) {
            close(before);
        }
        if (state != null) {
            put(actor, new Live(writer, state, classes, inMemory, held.calls()));
        }
    }

    /** Keeps what is kept in memory alone although the call has failed; unless another one is here meanwhile. */
    public void putBack(FutureId actor, Held held, ClassLoader classes) {
        Object state = held.get();
        if (state == null) {
            return;
        }
        Live back = new Live(held.recorded().writer(), state, classes, true, held.calls());
        boolean kept = held.staysAfterFailure();
        if (kept) {
            synchronized (actors) {
                kept = actors.putIfAbsent(actor, back) == null;
            }
        }
        if (!kept) {
            close(back);
        }
    }

    private void put(FutureId actor, Live live) {
        @Nullable Live before;
        @Nullable Live oldest = null;
        synchronized (actors) {
            before = actors.put(actor, live);
            if (actors.size() > ACTORS_MAX) {
                oldest = actors.remove(actors.keySet().iterator().next());
            }
        }
        if (before != null && before.state() != live.state()) {
            close(before);
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    /** Closes what is kept in memory alone: nothing of this will be used any more. */
    public void close() {
        List<Live> all;
        synchronized (actors) {
            all = List.copyOf(actors.values());
            actors.clear();
        }
        all.forEach(LiveActors::close);
    }

    /** On a thread of its own: this is users' code. */
    private static void close(Live live) {
        if (live.inMemory() && live.state() instanceof AutoCloseable closeable) {
            Thread thread = Thread.ofVirtual().name("ratchet-actor-close").unstarted(() -> {
                try {
                    closeable.close();
                } catch (Exception failure) {
                    LOG.warn("The state of an actor could not be closed", failure);
                }
            });
            thread.setContextClassLoader(live.classes());
            thread.start();
        }
    }
}
