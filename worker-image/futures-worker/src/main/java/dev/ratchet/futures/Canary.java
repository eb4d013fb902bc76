/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures;

import dev.ratchet.client.FutureId;
import dev.ratchet.client.SerializableCallable;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.code.CodeReader;
import dev.ratchet.futures.code.CodeWriter;
import dev.ratchet.futures.object.ObjectName;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ObjectStoreFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The health check: sends a small task through everything that a task goes through in this process, short of a slot and
 * of the threads of tasks, which may rightly be busy for hours. So it proves that this worker can run what it gets a
 * slot for, not that its slots get free: nothing tells a task that hangs from one that takes long, but the limit that
 * its submitter has set, or that it goes on after it was told to end, for which the worker restarts. Its result goes
 * through the object store and back; a full one is no illness.
 */
final class Canary implements Supplier<CompletableFuture<Void>> {

    private static final int RESULT_BYTES = 1_000;

    private final ObjectStore objects;
    private final Environment environment;

    Canary(ObjectStore objects, Environment environment) {
        this.objects = objects;
        this.environment = environment;
    }

    @Override
    public CompletableFuture<Void> get() {
        return CompletableFuture.runAsync(this::run, environment.executor());
    }

    private void run() {
        SerializableCallable<byte[]> task = () -> new byte[RESULT_BYTES];
        byte[] code = CodeWriter.write("canary", task, new LinkedHashSet<>());
        ObjectName name = new ObjectName(
                FutureId.ofRandom(
                        environment.random().nextLong(), environment.random().nextLong()),
                0);
        try {
            Object read = CodeReader.read(code, Canary.class.getClassLoader());
            byte[] result = (byte[]) ((SerializableCallable<?>) java.util.Objects.requireNonNull(read)).call();
            ObjectStore.Stored stored = objects.put(name, result);
            if (objects.read(stored).length != RESULT_BYTES) {
                throw new IllegalStateException("The canary has come back with another result");
            }
        } catch (ObjectStoreFullException full) {
            return;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The canary's result can not be read", unreadable);
        } catch (Exception failure) {
            throw new IllegalStateException("The canary has failed", failure);
        } finally {
            objects.delete(name);
        }
    }
}
