/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.actor;

import com.google.protobuf.ByteString;
import dev.ratchet.client.ActorStorage;
import dev.ratchet.client.FutureId;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    /** Of recorded states that are too large for their records, together and as they are serialised. */
    private static final long LARGE_BYTES_MAX = 4L * ActorStates.BYTES_MAX;

    private final Map<FutureId, Live> actors = new LinkedHashMap<>(16, 0.75f, true);

    /** Takes what is put here later of the actors that were handed over. */
    private final @Nullable LiveActors heir;

    private final Set<FutureId> handedOver = new HashSet<>();
    private boolean closed;

    public LiveActors() {
        this(null);
    }

    /** @param heir where {@link #handOver} gives actors to */
    public LiveActors(@Nullable LiveActors heir) {
        this.heir = heir;
    }

    /**
     * A state.
     *
     * @param writer names the attempt that has left what is recorded of it
     * @param inMemory whether this is all there is of it
     * @param calls since its last checkpoint
     * @param bytes of what is recorded of it
     * @param number of the {@link Held} that has left it
     */
    record Live(
            ByteString writer, Object state, ClassLoader classes, boolean inMemory, int calls, int bytes, long number) {
        /** Whether it is dropped for its size, which nobody misses: it can be read again. */
        private boolean isLarge() {
            return !inMemory && bytes > ActorStates.RECORD_BYTES_MAX;
        }

        private boolean isOf(ActorSnapshot recorded, ClassLoader reading) {
            return writer.equals(recorded.writer()) && classes == reading;
        }
    }

    /**
     * The state that is recorded, as an object.
     *
     * @param code names the code of the call
     * @throws IOException if the code can not read the recorded state
     * @throws ClassNotFoundException if the code lacks a class of it
     * @throws StateAwayException if it is neither here nor given, see {@link #has}
     */
    public Held take(FutureId actor, GivenState given, ClassLoader classes, ByteString code, ActorStorage<?> storage)
            throws IOException, ClassNotFoundException, StateAwayException {
        ActorSnapshot recorded = given.recorded();
        Live live;
        synchronized (actors) {
            live = actors.remove(actor);
        }
        if (live != null) {
            if (live.isOf(recorded, classes)) {
                return Held.of(recorded, live);
            }
            close(live);
        }
        return Held.read(given, classes, code, storage);
    }

    /** Whether the state that is recorded is here, for now: other calls and newer states may take its place. */
    public boolean has(FutureId actor, ActorSnapshot recorded, ClassLoader classes) {
        synchronized (actors) {
            Live live = actors.get(actor);
            return live != null && live.isOf(recorded, classes);
        }
    }

    /** A copy of the state that is recorded, which nobody else sees; fails as {@link #take} does. */
    public static Held copy(GivenState given, ClassLoader classes, ByteString code, ActorStorage<?> storage)
            throws IOException, ClassNotFoundException, StateAwayException {
        if (given.recorded().isInMemory()) {
            throw new IOException("The state of the actor is in the memory of a worker, and has no copies. Read it"
                    + " through Actor.inMemory or Actor.checkpointed.");
        }
        return Held.read(given, classes, code, storage);
    }

    /** Gives what is kept of an actor to the heir, in place of what that has, and so what is put here from now on. */
    public void handOver(FutureId actor) {
        LiveActors to = Objects.requireNonNull(heir, "nobody takes what is handed over");
        synchronized (actors) {
            handedOver.add(actor);
        }
        move(actor, to);
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

    /**
     * Keeps what the attempt {@code writer} leaves.
     *
     * @param bytes of what is recorded of it
     */
    public void put(FutureId actor, ByteString writer, Held held, ClassLoader classes, boolean inMemory, int bytes) {
        Object state = held.get();
        Live before = held.live();
        if (before != null && before.state() != state) {
            close(before);
        }
        if (state != null) {
            keeper(actor).put(actor, new Live(writer, state, classes, inMemory, held.calls(), bytes, held.number()));
        }
    }

    /** Keeps what is kept in memory alone although the call has failed; unless another one is here meanwhile. */
    public void putBack(FutureId actor, Held held, ClassLoader classes) {
        Object state = held.get();
        if (state == null) {
            return;
        }
        Live back = new Live(held.recorded().writer(), state, classes, true, held.calls(), 0, held.number());
        if (!held.staysAfterFailure() || !keeper(actor).putIfAbsent(actor, back)) {
            close(back);
        }
    }

    /** Who keeps what is put here. */
    private LiveActors keeper(FutureId actor) {
        synchronized (actors) {
            return heir != null && handedOver.contains(actor) ? heir : this;
        }
    }

    private boolean putIfAbsent(FutureId actor, Live live) {
        synchronized (actors) {
            return !closed && actors.putIfAbsent(actor, live) == null;
        }
    }

    private void put(FutureId actor, Live live) {
        @Nullable Live before;
        @Nullable Live oldest = null;
        synchronized (actors) {
            before = actors.get(actor);
            if (closed || (before != null && before.number() > live.number())) {
                // A call that was cancelled may end after the next one has.
                close(live);
                return;
            }
            actors.put(actor, live);
            if (live.isLarge()) {
                dropLarge();
            }
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

    /** Drops the large ones that were used the longest ago, until the others are few enough. */
    private void dropLarge() {
        long bytes = actors.values().stream()
                .filter(Live::isLarge)
                .mapToLong(Live::bytes)
                .sum();
        for (Iterator<Live> oldest = actors.values().iterator(); bytes > LARGE_BYTES_MAX; ) {
            Live live = oldest.next();
            if (live.isLarge()) {
                oldest.remove();
                bytes -= live.bytes();
            }
        }
    }

    /** Closes what is kept in memory alone, now or later: nothing of this will be used any more. */
    public void close() {
        List<Live> all;
        synchronized (actors) {
            closed = true;
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
