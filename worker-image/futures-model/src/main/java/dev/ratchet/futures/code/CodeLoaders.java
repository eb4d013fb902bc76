/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import com.google.protobuf.ByteString;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The class loaders of this process, one per set of artifacts. A loader is open while a run uses it and while it is
 * among the recently used; then it is closed, and its classes can go. Safe for use by several threads.
 */
public final class CodeLoaders implements AutoCloseable {

    private static final int LOADERS_MAX = 32;

    private final ClassLoader worker = CodeLoaders.class.getClassLoader();
    private final Map<String, Loader> loaders = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Code, ready to run; close it afterwards.
     *
     * @param record the code with its content
     * @param files its artifacts
     */
    public LoadedFunction load(ByteString digest, FunctionRecord record, List<Path> files) {
        return new LoadedFunction(loader(Digests.ofArtifacts(record.getArtifactsList()), files), digest, record, files);
    }

    /** How many class loaders are open. */
    public int open() {
        synchronized (loaders) {
            return loaders.size();
        }
    }

    /** Forgets all code; loaders in use close when their runs end. */
    @Override
    public void close() {
        synchronized (loaders) {
            loaders.values().forEach(Loader::release);
            loaders.clear();
        }
    }

    private Loader loader(String name, List<Path> files) {
        synchronized (loaders) {
            Loader loader = loaders.get(name);
            if (loader == null) {
                loader = new Loader(new CodeLoader(name, urls(files), worker));
                loaders.put(name, loader);
                if (loaders.size() > LOADERS_MAX) {
                    var eldest = loaders.entrySet().iterator();
                    eldest.next().getValue().release();
                    eldest.remove();
                }
            }
            loader.retain();
            return loader;
        }
    }

    private static URL[] urls(List<Path> files) {
        URL[] urls = new URL[files.size()];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = files.get(i).toUri().toURL();
            } catch (MalformedURLException unschedulable) {
                throw new UncheckedIOException(unschedulable);
            }
        }
        return urls;
    }

    /** A class loader that is counted: closed when nobody uses it and the cache has dropped it. */
    static final class Loader {
        private static final int SHARED_MAX = 1_000;

        private final CodeLoader classLoader;
        private final Map<ByteString, LoadedFunction.Invocation> stateless = new ConcurrentHashMap<>();
        private int users = 1;

        Loader(CodeLoader classLoader) {
            this.classLoader = classLoader;
        }

        ClassLoader classLoader() {
            return classLoader;
        }

        /** The code with this digest, if it has no state and was read before. */
        LoadedFunction.@Nullable Invocation stateless(ByteString digest) {
            return stateless.get(digest);
        }

        void share(ByteString digest, LoadedFunction.Invocation invocation) {
            if (stateless.size() < SHARED_MAX) {
                stateless.put(digest, invocation);
            }
        }

        synchronized void retain() {
            users++;
        }

        void release() {
            synchronized (this) {
                if (--users > 0) {
                    return;
                }
            }
            try {
                classLoader.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
