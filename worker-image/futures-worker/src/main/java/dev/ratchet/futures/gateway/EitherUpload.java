/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.UploadReply;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;

/** Content whose first message says what it is: of a function, or the argument of a future. */
final class EitherUpload implements StreamObserver<ContentChunk> {

    private final FutureStore store;
    private final ServerCallStreamObserver<UploadReply> client;
    private @Nullable StreamObserver<ContentChunk> chosen;
    private boolean refused;

    EitherUpload(FutureStore store, ServerCallStreamObserver<UploadReply> client) {
        this.store = store;
        this.client = client;
        PieceUpload.begin(client);
    }

    @Override
    public void onNext(ContentChunk message) {
        if (chosen == null && !refused) {
            switch (message.getTargetCase()) {
                case FUNCTION -> chosen = new FunctionUpload(store, client);
                case ARGUMENT_OF -> chosen = new ContentUpload(store, client);
                case TARGET_NOT_SET -> refuse();
            }
        }
        if (chosen != null) {
            chosen.onNext(message);
        }
    }

    private void refuse() {
        refused = true;
        client.onError(Status.INVALID_ARGUMENT
                .withDescription("The first message names what the content belongs to")
                .asRuntimeException());
    }

    @Override
    public void onError(Throwable gone) {
        if (chosen != null) {
            chosen.onError(gone);
        }
    }

    @Override
    public void onCompleted() {
        if (chosen != null) {
            chosen.onCompleted();
        } else if (!refused) {
            refuse();
        }
    }
}
