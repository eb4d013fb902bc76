/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.settle;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.lifecycle.Lifecycle;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import dev.ratchet.protocol.futures.v1.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The line of an actor's calls, each of which waits for the one before it, or for one so many before it as may run
 * beside each other. Of those recorded as the last calls of an actor each open call is one, or has one behind it. A
 * call that is taken out of the line before its turn must not give its turn to those behind it while one before it
 * still runs: they wait for that one instead.
 */
public final class CallOrder {

    private final ActorStates actors;
    private final Dependents dependents;

    CallOrder(FutureKeys keys, Dependents dependents) {
        this.actors = new ActorStates(keys);
        this.dependents = dependents;
    }

    /**
     * Where a new call or read comes in the line.
     *
     * @param behind open calls that it waits for
     * @param last open calls that stay among the last ones, before it
     * @param host worker that has run the last call; empty where none has
     */
    public record Place(List<LoadedFuture> behind, List<FutureId> last, String host) {
        /** That of what calls no actor. */
        public static final Place NONE = new Place(List.of(), List.of(), "");
    }

    /**
     * Finds the place: a call waits for so many of the open ones, oldest first, that fewer than may run beside each
     * other are left; a read waits for all. It stands for one that it waits for, since both never run at once, and the
     * others stay among the last calls: where fewer may run beside each other than before, the next one must not run
     * beside them. What runs beside no other call stands for all.
     *
     * @param last the last calls, latest last
     */
    public static Place place(LoadedFuture future, List<LoadedFuture> last) {
        boolean isCall = future.record().getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR;
        int besideMax = isCall ? Math.max(0, future.record().getSchedulingSpec().getConcurrentCallsMax() - 1) : 0;
        List<LoadedFuture> open = last.stream()
                .filter(call -> !Lifecycle.isDone(call.state()) && call.state() != State.STATE_LOST)
                .toList();
        int behind = Math.max(0, open.size() - besideMax);
        List<LoadedFuture> stay = new ArrayList<>(open);
        stay.subList(besideMax == 0 ? 0 : Math.max(0, behind - 1), behind).clear();
        return new Place(
                open.subList(0, behind),
                stay.stream().map(LoadedFuture::id).toList(),
                last.isEmpty() ? "" : last.getLast().record().getClaim().getSeat());
    }

    /**
     * Takes a call that waits out of its line; does nothing to a future that is no call, or whose turn it is. Behind it
     * up to {@value Dependents#MOVED_MAX} calls and reads keep their order: those beyond may run beside a former call,
     * and then are run again if both change the state.
     */
    CompletableFuture<Void> leave(FutureTransaction futures, LoadedFuture call) {
        if (call.record().getActor().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return dependents
                .upstreams(futures.transaction(), call.id())
                .thenCompose(futures::loadAll)
                .thenCompose(upstreams -> {
                    List<LoadedFuture> before = upstreams.stream()
                            .filter(upstream -> isCall(upstream, call.record().getActor()))
                            .sorted(Comparator.comparingLong(
                                    upstream -> upstream.record().getSubmittedWallMillis()))
                            .toList();
                    return before.isEmpty() ? CompletableFuture.completedFuture(null) : close(futures, call, before);
                });
    }

    private static boolean isCall(LoadedFuture future, ByteString actor) {
        return future.record().getActor().equals(actor)
                && future.record().getArgumentKind() == ArgumentKind.ARGUMENT_KIND_ACTOR;
    }

    private CompletableFuture<Void> close(FutureTransaction futures, LoadedFuture call, List<LoadedFuture> before) {
        Transaction transaction = futures.transaction();
        ByteString actor = call.record().getActor();
        CompletableFuture<List<FutureId>> last = actors.lastCalls(transaction, Ids.of(actor));
        return dependents
                .downstreams(transaction, call.id())
                .thenCompose(futures::loadAll)
                .thenCombine(last, (downstreams, lastCalls) -> {
                    moveBehind(transaction, downstreams, call, before);
                    if (lastCalls.contains(call.id())) {
                        Set<FutureId> others = new LinkedHashSet<>();
                        before.forEach(former -> others.add(former.id()));
                        others.addAll(lastCalls);
                        others.remove(call.id());
                        actors.setLastCalls(
                                transaction,
                                Ids.of(actor),
                                others.stream()
                                        .limit(ActorStates.LAST_CALLS_MAX)
                                        .toList());
                    }
                    return null;
                });
    }

    private void moveBehind(
            Transaction transaction, List<LoadedFuture> downstreams, LoadedFuture call, List<LoadedFuture> before) {
        for (LoadedFuture downstream : downstreams) {
            if (downstream.record().getActor().equals(call.record().getActor())) {
                dependents.disconnect(transaction, downstream.id(), call.id());
                before.forEach(former -> dependents.connect(transaction, downstream.id(), former.id()));
            }
        }
    }
}
