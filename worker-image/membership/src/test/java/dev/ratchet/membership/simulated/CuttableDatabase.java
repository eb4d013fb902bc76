/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.simulated;

import com.apple.foundationdb.Database;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;

/** A process's way to the store, which can be cut: then no transaction begins and none is answered. */
final class CuttableDatabase {

    private final Database reachable;
    private boolean cut;

    CuttableDatabase(Database database) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean isTransaction = CompletableFuture.class.isAssignableFrom(method.getReturnType());
            return cut && isTransaction ? new CompletableFuture<>() : call(database, method, arguments);
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

    Database database() {
        return reachable;
    }

    void cut() {
        cut = true;
    }
}
