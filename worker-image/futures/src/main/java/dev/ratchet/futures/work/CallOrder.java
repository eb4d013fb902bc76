/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.work;

import com.apple.foundationdb.Transaction;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.futures.actor.ActorStates;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.futures.record.Ids;
import dev.ratchet.futures.record.LoadedFuture;
import dev.ratchet.protocol.futures.v1.ArgumentKind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The line of an actor's calls, each of which waits for the one before it. A call that is taken out of the line before
 * its turn must not give its turn to those behind it while one before it still runs: they wait for that one instead.
 */
final class CallOrder {

    private final ActorStates actors;
    private final Dependents dependents;

    CallOrder(FutureKeys keys, Dependents dependents) {
        this.actors = new ActorStates(keys);
        this.dependents = dependents;
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
        CompletableFuture<Optional<FutureId>> last = actors.lastCall(transaction, Ids.of(actor));
        return dependents
                .downstreams(transaction, call.id())
                .thenCompose(futures::loadAll)
                .thenCombine(last, (downstreams, lastCall) -> {
                    moveBehind(transaction, downstreams, call, before);
                    if (lastCall.equals(Optional.of(call.id()))) {
                        actors.setLastCall(
                                transaction,
                                Ids.of(actor),
                                before.get(before.size() - 1).id());
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
