/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import com.apple.foundationdb.Database;
import dev.ratchet.simulation.world.VirtualProcess;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** A process's database whose transactions are as fast as ever, while their ends are heard of late. */
final class SlowDatabase {

    private final Database slow;
    private final VirtualProcess process;
    private long delayMillis;

    SlowDatabase(Database database, VirtualProcess process) {
        this.process = process;
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object answer = call(database, method, arguments);
            return delayMillis > 0 && answer instanceof CompletableFuture<?> future ? late(future) : answer;
        };
        slow = (Database)
                Proxy.newProxyInstance(SlowDatabase.class.getClassLoader(), new Class<?>[] {Database.class}, handler);
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

    void delay(long millis) {
        delayMillis = millis;
    }

    Database database() {
        return slow;
    }
}
