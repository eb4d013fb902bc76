/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import com.apple.foundationdb.Database;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** A process's way to the store, which can be slow, and can be cut: then no transaction begins and none is answered. */
final class CuttableDatabase {

    private final Database reachable;
    private final VirtualProcess process;
    private boolean cut;
    private long delayMillis;

    CuttableDatabase(Database database, VirtualProcess process) {
        this.process = process;
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean isTransaction = CompletableFuture.class.isAssignableFrom(method.getReturnType());
            if (cut && isTransaction) {
                return new CompletableFuture<>();
            }
            Object answer = call(database, method, arguments);
            return isTransaction && delayMillis > 0 ? late((CompletableFuture<?>) answer) : answer;
        };
        reachable = (Database) Proxy.newProxyInstance(
                CuttableDatabase.class.getClassLoader(), new Class<?>[] {Database.class}, handler);
    }

    private static Object call(Database database, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(database, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private <T> CompletableFuture<T> late(CompletableFuture<T> answer) {
        CompletableFuture<T> late = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> process.schedule(delayMillis, () -> {
            if (failure == null) {
                late.complete(value);
            } else {
                late.completeExceptionally(failure);
            }
        }));
        return late;
    }

    /** From now on answers take so long. */
    void delay(long millis) {
        delayMillis = millis;
    }

    Database database() {
        return reachable;
    }

    void cut() {
        cut = true;
    }
}
