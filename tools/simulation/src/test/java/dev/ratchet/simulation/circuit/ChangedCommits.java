/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.circuit;

import dev.ratchet.store.transaction.CommitOutcome;
import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.Mutation;
import dev.ratchet.store.transaction.StoreConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A connection whose commits are not what they were asked to be. */
final class ChangedCommits {

    private ChangedCommits() {}

    /** They write something else. */
    static StoreConnection writing(StoreConnection real, UnaryOperator<List<Mutation>> written) {
        return of(real, request -> real.commit(changed(request, written)));
    }

    /** Something else is done. */
    static StoreConnection of(StoreConnection real, Function<CommitRequest, CompletableFuture<CommitOutcome>> commit) {
        InvocationHandler handler =
                (proxy, method, arguments) -> method.getName().equals("commit")
                        ? commit.apply((CommitRequest) arguments[0])
                        : pass(real, proxy, method, arguments);
        return (StoreConnection) Proxy.newProxyInstance(
                ChangedCommits.class.getClassLoader(), new Class<?>[] {StoreConnection.class}, handler);
    }

    /** What the interface makes of other methods is made of those of this connection, or it would write past them. */
    private static @Nullable Object pass(
            StoreConnection real, Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private static CommitRequest changed(CommitRequest request, UnaryOperator<List<Mutation>> written) {
        return new CommitRequest(
                request.readVersion(),
                request.readConflicts(),
                request.writeConflicts(),
                written.apply(request.mutations()),
                request.sizeBytes(),
                request.requestId(),
                request.lockAware(),
                request.reportConflicts(),
                request.toldAtOnce());
    }
}
