/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.code;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The code that this worker has loaded: functions by digest, and one class loader per set of artifacts. A loader is
 * open while a run uses it and while it is among the recently used; then it is closed, and its classes can go.
 */
public final class CodeCache implements AutoCloseable {

    private static final int FUNCTIONS_MAX = 1_000;
    private static final int LOADERS_MAX = 32;

    private final FutureStore store;
    private final PieceStore content;
    private final ArtifactFiles artifacts;
    private final ClassLoader worker;
    private final Map<ByteString, CompletableFuture<FunctionRecord>> functions = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Loader> loaders = new LinkedHashMap<>(16, 0.75f, true);

    /** @throws IOException if {@code directory} can not be made */
    public CodeCache(FutureStore store, Path directory) throws IOException {
        this.store = store;
        this.content = new PieceStore(store, store.keys().functionContent);
        this.artifacts = new ArtifactFiles(store, directory);
        this.worker = CodeCache.class.getClassLoader();
    }

    /** The function with this digest, ready to run; close it afterwards. */
    public CompletableFuture<LoadedFunction> load(ByteString digest) {
        return function(digest).thenCompose(record -> {
            Map<ByteString, CompletableFuture<Path>> files = new LinkedHashMap<>();
            record.getArtifactsList().forEach(artifact -> files.put(artifact, artifacts.file(artifact)));
            return CompletableFuture.allOf(files.values().toArray(CompletableFuture[]::new))
                    .thenApply(unused -> {
                        List<Path> paths = new ArrayList<>();
                        files.values().forEach(file -> paths.add(file.join()));
                        return new LoadedFunction(
                                loader(Digests.ofArtifacts(record.getArtifactsList()), paths),
                                digest,
                                record.getArtifactsList(),
                                record.getSerialized().toByteArray(),
                                record.hasNamed() ? record.getNamed() : null);
                    });
        });
    }

    /** Takes code that comes with a request before it is in the store; what does not fit its digest is ignored. */
    public void offer(ByteString digest, FunctionRecord record) {
        synchronized (functions) {
            if (record.getChunks() == 0
                    && !functions.containsKey(digest)
                    && Digests.ofFunction(record).equals(digest)) {
                remember(digest, CompletableFuture.completedFuture(record));
            }
        }
    }

    /** How many class loaders are open. */
    public int openLoaders() {
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

    private CompletableFuture<FunctionRecord> function(ByteString digest) {
        synchronized (functions) {
            CompletableFuture<FunctionRecord> known = functions.get(digest);
            if (known != null && !known.isCompletedExceptionally()) {
                return known;
            }
            CompletableFuture<FunctionRecord> read = read(digest);
            remember(digest, read);
            return read;
        }
    }

    private void remember(ByteString digest, CompletableFuture<FunctionRecord> record) {
        if (functions.size() >= FUNCTIONS_MAX) {
            functions.remove(functions.keySet().iterator().next());
        }
        functions.put(digest, record);
    }

    private CompletableFuture<FunctionRecord> read(ByteString digest) {
        FutureKeys keys = store.keys();
        byte[] key = digest.toByteArray();
        return store.read(transaction -> transaction.get(keys.functions.key((Object) key)))
                .thenCompose(value -> {
                    FunctionRecord record = keys.functions.decodeOrNull(value);
                    if (record == null) {
                        throw new IllegalStateException("The function " + Digests.hex(digest) + " is not in the store");
                    }
                    if (record.getChunks() == 0) {
                        return CompletableFuture.completedFuture(record);
                    }
                    List<ByteString> pieces = new ArrayList<>();
                    return content.read(key, record.getChunks(), piece -> pieces.add(ByteString.copyFrom(piece)))
                            .thenApply(unused -> record.toBuilder()
                                    .setSerialized(ByteString.copyFrom(pieces))
                                    .build());
                });
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
            } catch (MalformedURLException impossible) {
                throw new UncheckedIOException(impossible);
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
