/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.artifact;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.futures.code.CodeLoaders;
import dev.ratchet.futures.code.Digests;
import dev.ratchet.futures.code.LoadedFunction;
import dev.ratchet.futures.record.FutureKeys;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.futures.v1.FunctionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The code that this worker has loaded: functions by digest, and the files of their artifacts. */
public final class CodeCache implements AutoCloseable {

    private static final int FUNCTIONS_MAX = 1_000;

    private final FutureStore store;
    private final PieceStore content;
    private final ArtifactFiles artifacts;
    private final Map<ByteString, CompletableFuture<FunctionRecord>> functions = new LinkedHashMap<>(16, 0.75f, true);
    private final CodeLoaders loaders = new CodeLoaders();

    /** @throws IOException if {@code directory} can not be made */
    public CodeCache(FutureStore store, Path directory) throws IOException {
        this.store = store;
        this.content = new PieceStore(store, store.keys().functionContent);
        this.artifacts = new ArtifactFiles(store, directory);
    }

    /** The function with this digest, ready to run; close it afterwards. */
    public CompletableFuture<LoadedFunction> load(ByteString digest) {
        return function(digest).thenCompose(record -> {
            Map<ByteString, CompletableFuture<Path>> files = new LinkedHashMap<>();
            record.getArtifactsList().forEach(artifact -> files.put(artifact, artifacts.file(artifact)));
            return AsyncUtil.whenAll(files.values()).thenApply(unused -> {
                List<Path> paths = new ArrayList<>();
                files.values().forEach(file -> paths.add(file.join()));
                return loaders.load(digest, record, paths);
            });
        });
    }

    /**
     * The file of one artifact, its content verified. Fails with {@link ArtifactUnusableException} where the store has
     * none, or a damaged one.
     */
    public CompletableFuture<Path> artifact(ByteString digest) {
        return artifacts.file(digest);
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
        return loaders.open();
    }

    /** Forgets all code; loaders in use close when their runs end. */
    @Override
    public void close() {
        loaders.close();
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

    private static FunctionRecord checked(ByteString digest, FunctionRecord record) {
        if (!Digests.ofFunction(record).equals(digest)) {
            throw new IllegalStateException("The function " + Digests.hex(digest)
                    + " is damaged in the store: its content has another digest. Submit it again under another id.");
        }
        return record;
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
                        return CompletableFuture.completedFuture(checked(digest, record));
                    }
                    List<ByteString> pieces = new ArrayList<>();
                    return content.read(key, record.getChunks(), piece -> pieces.add(ByteString.copyFrom(piece)))
                            .thenApply(unused -> checked(
                                    digest,
                                    record.toBuilder()
                                            .setSerialized(ByteString.copyFrom(pieces))
                                            .build()));
                });
    }
}
