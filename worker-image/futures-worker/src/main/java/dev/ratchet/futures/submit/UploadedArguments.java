/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.submit;

import com.google.protobuf.ByteString;
import dev.ratchet.futures.artifact.PieceStore;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.record.ArgumentUploads;
import dev.ratchet.futures.record.FutureTransaction;
import dev.ratchet.protocol.client.v1.SubmittedFuture;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which uploads of arguments are there under their own ids, as the transaction of the submit reads them: a worker that
 * took an upload before the recorded level of formats was raised has written it under the id of the future.
 */
final class UploadedArguments {

    private final Set<ByteString> uploads;

    private UploadedArguments(Set<ByteString> uploads) {
        this.uploads = uploads;
    }

    static CompletableFuture<UploadedArguments> read(FutureTransaction futures, Iterable<SubmittedFuture> submitted) {
        Set<ByteString> there = ConcurrentHashMap.newKeySet();
        Set<CompletableFuture<Void>> reads = new HashSet<>();
        for (SubmittedFuture future : submitted) {
            if (future.getArgumentChunks() > 0 && !future.getArgumentUpload().isEmpty()) {
                Object owner = ArgumentUploads.owner(Ids.of(future.getId()).value(), future.getArgumentUpload());
                reads.add(futures.transaction()
                        .get(futures.keys().arguments.key(PieceStore.elements(owner, future.getArgumentChunks() - 1)))
                        .thenAccept(last -> {
                            if (last != null) {
                                there.add(future.getArgumentUpload());
                            }
                        }));
            }
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(unused -> new UploadedArguments(there));
    }

    /** Has the record name the upload of its argument. */
    void name(SubmittedFuture future, FutureRecord.Builder record) {
        if (uploads.contains(future.getArgumentUpload())) {
            record.setArgumentUpload(future.getArgumentUpload());
        }
    }
}
