/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.cluster;

import dev.ratchet.store.transaction.CommitRequest;
import dev.ratchet.store.transaction.KeyRange;
import dev.ratchet.store.transaction.StoreConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A planted defect: once this process has written a key, it reads back what it wrote for ever, and no commit conflicts
 * on it. What others write there does not exist for it.
 */
final class FrozenKey {

    private final StoreConnection real;
    private final byte[] key;
    private byte[] written = {};

    private FrozenKey(StoreConnection real, byte[] key) {
        this.real = real;
        this.key = key;
    }

    static StoreConnection of(StoreConnection real, byte[] key) {
        FrozenKey frozen = new FrozenKey(real, key);
        InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
            case "get" -> frozen.get((long) arguments[0], (byte[]) arguments[1]);
            case "commit" -> frozen.commit((CommitRequest) arguments[0]);
            default -> frozen.pass(proxy, method, arguments);
        };
        return (StoreConnection) Proxy.newProxyInstance(
                FrozenKey.class.getClassLoader(), new Class<?>[] {StoreConnection.class}, handler);
    }

    /** What the interface makes of other methods is made of those of this connection, or it would read past them. */
    private @Nullable Object pass(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private CompletableFuture<?> get(long version, byte[] wanted) {
        return written.length > 0 && Arrays.equals(wanted, key)
                ? CompletableFuture.completedFuture(written)
                : real.get(version, wanted);
    }

    private CompletableFuture<?> commit(CommitRequest request) {
        request.mutations().stream()
                .filter(mutation -> Arrays.equals(mutation.key(), key))
                .forEach(mutation -> written = mutation.param());
        List<KeyRange> conflicts = written.length == 0
                ? request.readConflicts()
                : request.readConflicts().stream()
                        .filter(range -> !Arrays.equals(range.begin(), key))
                        .toList();
        return real.commit(new CommitRequest(
                request.readVersion(),
                conflicts,
                request.writeConflicts(),
                request.mutations(),
                request.sizeBytes(),
                request.requestId(),
                request.lockAware(),
                request.reportConflicts(),
                request.toldAtOnce()));
    }
}
