/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.ReadTransaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.actor.LiveActors;
import dev.ratchet.futures.actor.Snapshot;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.record.Effects;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.ClaimToken;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.State;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of actors that are run before they are recorded, each on the state that the one before it has left. That counts
 * only if, in the transaction that records them, the actor still has the state from which they began, no call is open,
 * and none of them is known: they take their place in its line then, all at once. Otherwise they are recorded without
 * what has come of them, and wait for their turn. Here one run after the other is made of each actor; as each is cut
 * off after a while, and requests that are under way are few, so are those that wait for their turn. Thread-safe.
 */
final class EarlyCalls {

    /** A larger state is not moved to the worker that is asked: its calls run where it is in memory. */
    private static final int MOVED_BYTES_MAX = 64 << 10;

    private final FutureStore store;
    private final String seat;
    private final ActorStates states;
    private final LiveActors actors;
    /** The last run of each actor that is not over. */
    private final Map<ByteString, CompletableFuture<Void>> lastTurns = new HashMap<>();

    /** @param actors states in the memory of this worker, which has the seat */
    EarlyCalls(FutureStore store, String seat, LiveActors actors) {
        this.store = store;
        this.seat = seat;
        this.states = new ActorStates(store.keys());
        this.actors = actors;
    }

    /** Calls and reads that were run, with the states before the first and after the last of them. */
    record Run(FutureId actor, Snapshot before, Snapshot after, Set<FutureId> started) {}

    /** Does something with the turn to run calls of these futures' actors, once it has come. */
    <T> CompletableFuture<T> inTurn(List<SubmittedFuture> futures, Function<Turn, CompletableFuture<T>> something) {
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
        return CompletableFuture.allOf(former.toArray(CompletableFuture[]::new))
                .thenCompose(unused -> called.isEmpty()
                        ? CompletableFuture.completedFuture(Map.<ByteString, Line>of())
                        : store.read(transaction -> lines(transaction, called)))
                .handle((lines, unreadable) -> new Turn(called, unreadable == null ? lines : Map.of(), over));
    }

    /** Those of the actors that have no open call, with their states. */
    private CompletableFuture<Map<ByteString, Line>> lines(ReadTransaction transaction, Set<ByteString> called) {
        Map<ByteString, CompletableFuture<Optional<Line>>> reads = new LinkedHashMap<>();
        called.forEach(actor -> reads.put(actor, line(transaction, Ids.of(actor))));
        return CompletableFuture.allOf(reads.values().toArray(CompletableFuture[]::new))
                .thenApply(unused -> {
                    Map<ByteString, Line> lines = new HashMap<>();
                    reads.forEach((actor, read) -> read.join().ifPresent(line -> lines.put(actor, line)));
                    return lines;
                });
    }

    private CompletableFuture<Optional<Line>> line(ReadTransaction transaction, FutureId actor) {
        FutureKeys keys = store.keys();
        CompletableFuture<List<FutureRecord>> lastCalls = states.lastCalls(transaction, actor)
                .thenCompose(calls -> {
                    List<CompletableFuture<Optional<FutureRecord>>> reads = calls.stream()
                            .map(call -> keys.record(transaction, call))
                            .toList();
                    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                            .thenApply(unused -> reads.stream()
                                    .flatMap(read -> read.join().stream())
                                    .toList());
                });
        return lastCalls.thenCombine(
                states.read(transaction, actor),
                (calls, state) -> calls.stream().allMatch(call -> isOver(call.getState())) && mayRunHere(calls, state)
                        ? Optional.of(new Line(state))
                        : Optional.empty());
    }

    private boolean mayRunHere(List<FutureRecord> lastCalls, Snapshot state) {
        return lastCalls.isEmpty()
                || lastCalls.getLast().getClaim().getSeat().equals(seat)
                || state.bytes().size() <= MOVED_BYTES_MAX;
    }

    private static boolean isOver(State state) {
        return Lifecycle.isDone(state) || state == State.STATE_LOST;
    }

    /** The calls of one actor as they are run. Used by one thread at a time. */
    static final class Line {

        private final Snapshot before;
        private final List<FutureId> calls = new ArrayList<>();
        private final List<FutureId> reads = new ArrayList<>();

        private Line(Snapshot before) {
            this.before = before;
        }

        /**
         * Takes the next one.
         *
         * @param ended how those before it have ended
         * @return the state that they have left; null if one of them has not left any yet: then this one is not run
         */
        @Nullable
        Snapshot enter(SubmittedFuture future, Map<FutureId, Optional<Outcome>> ended) {
            Optional<Snapshot> state = calls.isEmpty() ? Optional.of(before) : left(calls.getLast(), ended);
            boolean isCall = future.getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR;
            (isCall ? calls : reads).add(Ids.of(future.getId()));
            return state.orElse(null);
        }

        private boolean hasBegun(Set<FutureId> started) {
            return calls.stream().anyMatch(started::contains);
        }

        private static Optional<Snapshot> left(FutureId call, Map<FutureId, Optional<Outcome>> ended) {
            return ended.getOrDefault(call, Optional.empty())
                    .flatMap(outcome ->
                            outcome instanceof Outcome.Realized realized ? realized.left() : Optional.empty());
        }

        private Run run(FutureId actor, Map<FutureId, Optional<Outcome>> ended) {
            Snapshot after = before;
            for (FutureId call : calls) {
                after = left(call, ended).orElse(after);
            }
            Set<FutureId> started = new LinkedHashSet<>(calls);
            started.addAll(reads);
            started.retainAll(ended.keySet());
            return new Run(actor, before, after, started);
        }
    }

    /** The right to run calls of some actors here, and the states that they begin with. */
    final class Turn {

        private final Set<ByteString> called;
        private final Map<ByteString, Line> lines;
        private final CompletableFuture<Void> over;
        /** What this turn leaves in memory is of use to others only once it is recorded. */
        private final LiveActors own = new LiveActors();

        private Turn(Set<ByteString> called, Map<ByteString, Line> lines, CompletableFuture<Void> over) {
            this.called = called;
            this.lines = lines;
            this.over = over;
            lines.keySet().forEach(actor -> actors.move(Ids.of(actor), own));
        }

        /** The line of an actor; none where another call is open. */
        Optional<Line> line(ByteString actor) {
            return Optional.ofNullable(lines.get(actor));
        }

        /** States of actors in memory, for what is run in this turn. */
        LiveActors states() {
            return own;
        }

        /**
         * What need not be recorded yet: calls behind those that were run, which are run next, and what depends on
         * such.
         *
         * @param started what was run or still is
         */
        SubmitRequest rest(SubmitRequest request, Set<FutureId> started) {
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
        List<Run> runs(Map<FutureId, Optional<Outcome>> ended) {
            return lines.entrySet().stream()
                    .map(line -> line.getValue().run(Ids.of(line.getKey()), ended))
                    .toList();
        }

        /** Keeps the states that were recorded under {@code token}. */
        void recorded(List<Run> runs, ClaimToken token, Map<FutureId, FutureRecord> done) {
            for (Run run : runs) {
                boolean counted = run.started().stream()
                        .anyMatch(id ->
                                done.containsKey(id) && done.get(id).getClaim().equals(token));
                if (counted || run.started().isEmpty()) {
                    own.move(run.actor(), actors);
                }
            }
        }

        /** Lets others have their turn. */
        void end() {
            synchronized (lastTurns) {
                called.forEach(actor -> lastTurns.remove(actor, over));
            }
            over.complete(null);
        }
    }

    /**
     * Of attempts that are to be recorded those that count, by the records of this transaction; writes the states that
     * their calls leave.
     *
     * @param lastCalls of the actors
     */
    static CompletableFuture<EarlyAttempts> counting(
            EarlyAttempts early,
            ActorStates states,
            FutureTransaction futures,
            Map<ByteString, List<FutureId>> lastCalls,
            Map<FutureId, LoadedFuture> known) {
        CompletableFuture<EarlyAttempts> counting = CompletableFuture.completedFuture(early);
        for (Run run : early.runs()) {
            boolean inTurn = lastCalls.getOrDefault(Ids.bytes(run.actor()), List.of()).stream()
                            .flatMap(call -> Optional.ofNullable(known.get(call)).stream())
                            .allMatch(call -> isOver(call.state()))
                    && run.started().stream().noneMatch(known::containsKey);
            Effects effects = states.replacing(run.actor(), run.before(), run.after());
            CompletableFuture<Boolean> counts =
                    inTurn ? effects.hold(futures.transaction()) : CompletableFuture.completedFuture(false);
            counting = counting.thenCombine(counts, (attempts, holds) -> {
                if (holds && !run.after().equals(run.before())) {
                    effects.apply(futures.transaction());
                }
                return holds ? attempts : attempts.without(run.started());
            });
        }
        return counting;
    }
}
