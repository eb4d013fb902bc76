/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.execute;

import com.apple.foundationdb.ReadTransaction;
import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorSnapshot;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.model.ValueSizes;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.settle.Outcome;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of actors that are run before they are recorded, each on the state that the one before it has left. That counts
 * only if, in the transaction that records them, the actor still has the state from which they began, no call is open,
 * and none of them is known: they take their place in its line then, all at once. Otherwise they are recorded without
 * what has come of them, and wait for their turn. Here one run after the other is made of each actor; as each is cut
 * off after a while, and requests that are under way are few, so are those that wait for their turn. Thread-safe.
 */
public final class SpeculativeCalls {

    /** A larger state is not moved to the worker that is asked: its calls run where it is in memory. */
    private static final int MOVED_BYTES_MAX = 64 << 10;

    /** Actors that are read at once, and what their states may have before others are read: more are not run here. */
    private static final int LINES_AT_ONCE = 16;

    private static final long LINES_BYTES_MAX = 500_000;

    /** Actors whose next run begins without a read. */
    private static final int LEFT_MAX = 256;

    /** The store reads at versions of the last five seconds; the rest is for the way there. */
    private static final long VERSION_NANOS_MAX = 3_000_000_000L;

    private final FutureStore store;
    private final String seat;
    private final ActorStates states;
    private final LiveActors actors;
    /** The last run of each actor that is not over. */
    private final Map<ByteString, CompletableFuture<Void>> lastTurns = new HashMap<>();
    /** What the last run of an actor has left, if it was the second in a row that was recorded here. */
    private final Map<ByteString, Left> left = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, Left> eldest) {
            return size() > LEFT_MAX;
        }
    };

    /** @param actors states in the memory of this worker, which has the seat */
    public SpeculativeCalls(FutureStore store, String seat, LiveActors actors) {
        this.store = store;
        this.seat = seat;
        this.states = new ActorStates(store.keys());
        this.actors = actors;
    }

    /**
     * What a run has left.
     *
     * @param lastCall the last call of the actor, which is over
     * @param version at which it was recorded; {@link SpeculativeRun#NO_VERSION} if that is not known
     * @param beganNanos when the run began, on the environment's clock
     */
    private record Left(ActorSnapshot state, Optional<FutureId> lastCall, long version, long beganNanos) {}

    /** Largest state that a call may leave now; one that is too large for its record is recorded by itself. */
    public int stateBytesMax() {
        return states.bytesMax();
    }

    /** Does something with the turn to run calls of these futures' actors, once it has come. */
    public <T> CompletableFuture<T> inTurn(
            List<SubmittedFuture> futures, Function<Turn, CompletableFuture<T>> something) {
        return turn(futures).thenCompose(turn -> CompletableFuture.completedFuture(turn)
                .thenCompose(something)
                .whenComplete((done, failure) -> turn.end()));
    }

    private CompletableFuture<Turn> turn(List<SubmittedFuture> futures) {
        Set<ByteString> called = new LinkedHashSet<>();
        futures.stream()
                .map(SubmittedFuture::getActor)
                .filter(actor -> !actor.isEmpty())
                .forEach(called::add);
        CompletableFuture<Void> over = new CompletableFuture<>();
        List<CompletableFuture<Void>> former = new ArrayList<>();
        synchronized (lastTurns) {
            for (ByteString actor : called) {
                CompletableFuture<Void> last = lastTurns.put(actor, over);
                if (last != null) {
                    former.add(last);
                }
            }
        }
        return AsyncUtil.whenAll(former)
                .thenCompose(unused -> {
                    Map<ByteString, Line> remembered = remembered(called);
                    return remembered.size() == called.size()
                            ? CompletableFuture.completedFuture(remembered)
                            : store.read(transaction -> lines(transaction, called));
                })
                .handle((lines, unreadable) -> new Turn(called, unreadable == null ? lines : Map.of(), over))
                .whenComplete((turn, failure) -> {
                    if (failure != null) {
                        end(called, over);
                    }
                });
    }

    private void end(Set<ByteString> called, CompletableFuture<Void> over) {
        synchronized (lastTurns) {
            called.forEach(actor -> lastTurns.remove(actor, over));
        }
        over.complete(null);
    }

    /**
     * Lines that go on where the last run here has stopped. That may not be true any more, which the transaction finds
     * out that records the next one.
     */
    private Map<ByteString, Line> remembered(Set<ByteString> called) {
        Map<ByteString, Line> lines = new HashMap<>();
        synchronized (left) {
            for (ByteString actor : called) {
                Left last = left.remove(actor);
                if (last != null) {
                    boolean recent = store.environment().nanoTime() - last.beganNanos() < VERSION_NANOS_MAX;
                    lines.put(
                            actor,
                            new Line(
                                    last.state(),
                                    last.lastCall(),
                                    true,
                                    recent ? last.version() : SpeculativeRun.NO_VERSION));
                }
            }
        }
        return lines;
    }

    /** Those of the actors that have no open call, with their states; of several those with small states alone. */
    private CompletableFuture<Map<ByteString, Line>> lines(ReadTransaction transaction, Set<ByteString> called) {
        return called.size() == 1
                ? line(transaction, called.iterator().next(), (reader, actor) -> states.read(reader, actor)
                                .thenApply(Optional::of))
                        .thenApply(
                                line -> line.map(one -> Map.of(called.iterator().next(), one))
                                        .orElse(Map.of()))
                : lines(transaction, List.copyOf(called), new HashMap<>(), new LongAdder());
    }

    private CompletableFuture<Map<ByteString, Line>> lines(
            ReadTransaction transaction, List<ByteString> called, Map<ByteString, Line> found, LongAdder bytes) {
        List<ByteString> some = called.subList(0, Math.min(called.size(), LINES_AT_ONCE));
        if (some.isEmpty() || bytes.sum() > LINES_BYTES_MAX) {
            return CompletableFuture.completedFuture(found);
        }
        StateReader counting =
                (reader, actor) -> states.readSmall(reader, actor).thenApply(state -> {
                    bytes.add(state.map(small -> small.bytes().size()).orElse(2 * ValueSizes.PIECE_BYTES));
                    return state;
                });
        Map<ByteString, CompletableFuture<Optional<Line>>> reads = new LinkedHashMap<>();
        some.forEach(actor -> reads.put(actor, line(transaction, actor, counting)));
        return AsyncUtil.whenAll(reads.values()).thenCompose(unused -> {
            reads.forEach((actor, read) -> read.join().ifPresent(line -> found.put(actor, line)));
            return lines(transaction, called.subList(some.size(), called.size()), found, bytes);
        });
    }

    /** What reads the state of an actor; nothing where that is too large. */
    private interface StateReader {
        CompletableFuture<Optional<ActorSnapshot>> read(ReadTransaction transaction, FutureId actor);
    }

    private CompletableFuture<Optional<Line>> line(ReadTransaction transaction, ByteString called, StateReader reader) {
        FutureId actor = Ids.of(called);
        FutureKeys keys = store.keys();
        CompletableFuture<List<FutureRecord>> lastCalls = states.lastCalls(transaction, actor)
                .thenCompose(calls -> {
                    List<CompletableFuture<Optional<FutureRecord>>> reads = calls.stream()
                            .map(call -> keys.record(transaction, call))
                            .toList();
                    return AsyncUtil.whenAll(reads).thenApply(unused -> reads.stream()
                            .flatMap(read -> read.join().stream())
                            .toList());
                });
        return lastCalls.thenCombine(
                reader.read(transaction, actor),
                (calls, state) -> calls.stream().allMatch(call -> SpeculativeRun.isOver(call.getState()))
                        ? state.filter(known -> mayRunHere(calls, known))
                                .map(known ->
                                        new Line(known, Optional.empty(), isOwn(calls), SpeculativeRun.NO_VERSION))
                        : Optional.empty());
    }

    /** What is in pieces takes more than one transaction to read and to write. */
    private boolean mayRunHere(List<FutureRecord> lastCalls, ActorSnapshot state) {
        return state.pieces().isEmpty()
                && (isOwn(lastCalls) || (state.bytes().size() <= MOVED_BYTES_MAX && !state.isInMemory()));
    }

    /** Whether no other worker has run the last of them. */
    private boolean isOwn(List<FutureRecord> lastCalls) {
        return lastCalls.isEmpty() || lastCalls.getLast().getClaim().getSeat().equals(seat);
    }

    /** The calls of one actor as they are run. Used by one thread at a time. */
    public static final class Line {

        private final ActorSnapshot before;
        private final Optional<FutureId> lastCall;
        private final boolean own;
        private final long version;
        private final List<FutureId> calls = new ArrayList<>();
        private final List<FutureId> reads = new ArrayList<>();

        /**
         * What there was before.
         *
         * @param lastCall empty if none is known
         * @param own whether no other worker has run the last call
         * @param version at which all this was so; {@link SpeculativeRun#NO_VERSION} if that is too long ago
         */
        private Line(ActorSnapshot before, Optional<FutureId> lastCall, boolean own, long version) {
            this.before = before;
            this.lastCall = lastCall;
            this.own = own;
            this.version = version;
        }

        /**
         * Takes the next one.
         *
         * @param ended how those before it have ended
         * @return the state that they have left; null if one of them has not left any yet: then this one is not run
         */
        @Nullable
        public ActorSnapshot enter(SubmittedFuture future, Map<FutureId, Optional<Outcome>> ended) {
            Optional<ActorSnapshot> state = calls.isEmpty() ? Optional.of(before) : left(calls.getLast(), ended);
            boolean isCall = future.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR;
            (isCall ? calls : reads).add(Ids.of(future.getId()));
            return state.orElse(null);
        }

        private boolean hasBegun(Set<FutureId> started) {
            return calls.stream().anyMatch(started::contains);
        }

        private static Optional<ActorSnapshot> left(FutureId call, Map<FutureId, Optional<Outcome>> ended) {
            return ended.getOrDefault(call, Optional.empty())
                    .flatMap(outcome ->
                            outcome instanceof Outcome.Realized realized ? realized.left() : Optional.empty());
        }

        private SpeculativeRun run(FutureId actor, Map<FutureId, Optional<Outcome>> ended) {
            ActorSnapshot after = before;
            for (FutureId call : calls) {
                after = left(call, ended).orElse(after);
            }
            Set<FutureId> started = new LinkedHashSet<>(calls);
            started.addAll(reads);
            started.retainAll(ended.keySet());
            return new SpeculativeRun(actor, before, after, started, lastCall, version);
        }
    }

    /** The right to run calls of some actors here, and the states that they begin with. */
    public final class Turn {

        private final Set<ByteString> called;
        private final Map<ByteString, Line> lines;
        private final CompletableFuture<Void> over;
        /** What this turn leaves in memory is of use to others only once it is recorded. */
        private final LiveActors own;

        private final long beganNanos = store.environment().nanoTime();

        private Turn(Set<ByteString> called, Map<ByteString, Line> lines, CompletableFuture<Void> over) {
            this.called = called;
            this.lines = lines;
            this.over = over;
            this.own = new LiveActors(actors);
            lines.keySet().forEach(actor -> actors.move(Ids.of(actor), own));
        }

        /** The line of an actor; none where another call is open. */
        public Optional<Line> line(ByteString actor) {
            return Optional.ofNullable(lines.get(actor));
        }

        /** States of actors in memory, for what is run in this turn. */
        public LiveActors states() {
            return own;
        }

        /**
         * What need not be recorded yet: calls behind those that were run, which are run next, and what depends on
         * such.
         *
         * @param started what was run or still is
         */
        public SubmitRequest rest(SubmitRequest request, Set<FutureId> started) {
            if (lines.isEmpty()) {
                return SubmitRequest.getDefaultInstance();
            }
            Set<ByteString> rest = new HashSet<>();
            SubmitRequest.Builder later = request.toBuilder().clearFutures().clearBlocks();
            for (SubmittedFuture future : request.getFuturesList()) {
                FutureId id = Ids.of(future.getId());
                Line line = lines.get(future.getActor());
                boolean behind = line != null && !started.contains(id) && line.hasBegun(started);
                if (behind || future.getUpstreamsList().stream().anyMatch(rest::contains)) {
                    rest.add(future.getId());
                    later.addFutures(future);
                }
            }
            return later.build();
        }

        /** What was run. */
        public List<SpeculativeRun> runs(Map<FutureId, Optional<Outcome>> ended) {
            return lines.entrySet().stream()
                    .map(line -> line.getValue().run(Ids.of(line.getKey()), ended))
                    .toList();
        }

        /**
         * Keeps the states that were recorded, also what a call will leave that is still going on.
         *
         * @param allRealized whether with them everything was that is recorded, so that no call of theirs is open
         */
        public void recorded(List<SpeculativeRun> runs, boolean allRealized) {
            for (SpeculativeRun run : runs) {
                if (run.isRecorded() || run.started().isEmpty()) {
                    own.handOver(run.actor());
                }
                Line line = lines.get(Ids.bytes(run.actor()));
                if (run.isRecorded() && allRealized && line != null && line.own) {
                    remember(line, run);
                }
            }
        }

        private void remember(Line line, SpeculativeRun run) {
            Optional<FutureId> lastCall = line.calls.isEmpty() ? line.lastCall : Optional.of(line.calls.getLast());
            if (run.after().bytes().size() <= MOVED_BYTES_MAX
                    && run.after().pieces().isEmpty()) {
                synchronized (left) {
                    left.put(
                            Ids.bytes(run.actor()), new Left(run.after(), lastCall, run.recordedVersion(), beganNanos));
                }
            }
        }

        /** Lets others have their turn. */
        public void end() {
            own.close();
            SpeculativeCalls.this.end(called, over);
        }
    }
}
