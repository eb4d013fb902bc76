/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import com.google.protobuf.ByteString;
import dev.ratchet.circuits.batch.Batch;
import dev.ratchet.circuits.batch.BatchWire;
import dev.ratchet.circuits.type.RowSchema;
import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.dataflow.ShareListener;
import dev.ratchet.protocol.dataflow.v1.FollowShareRequest;
import dev.ratchet.protocol.dataflow.v1.ShareEvent;
import dev.ratchet.protocol.dataflow.v1.ShareRows;
import dev.ratchet.protocol.dataflow.v1.SharesGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The share of another process. One that answers no more has ended; one that can not be reached yet is waited for, as
 * its process takes part in the run.
 */
public final class RemoteShareFeed implements ShareFeed {

    private final Channel channel;
    private final Function<String, RowSchema> schemas;

    /** @param schemas the columns of each view */
    public RemoteShareFeed(Channel channel, Function<String, RowSchema> schemas) {
        this.channel = channel;
        this.schemas = schemas;
    }

    @Override
    public Subscription follow(String view, long life, long afterStep, ShareListener listener) {
        FollowShareRequest.Builder request = FollowShareRequest.newBuilder().setView(view);
        if (afterStep != FROM_SNAPSHOT) {
            request.setAfterStep(afterStep);
        }
        if (life != ANY_LIFE) {
            request.setLife(life);
        }
        Receiver receiver = new Receiver(schemas.apply(view), listener);
        SharesGrpc.newStub(channel).withWaitForReady().follow(request.build(), receiver);
        return receiver;
    }

    private static final class Receiver
            implements ClientResponseObserver<FollowShareRequest, ShareEvent>, Subscription {
        private final RowSchema schema;
        private final ShareListener listener;
        private @Nullable ClientCallStreamObserver<FollowShareRequest> call;
        private ByteString pieces = ByteString.EMPTY;
        private boolean ended;

        Receiver(RowSchema schema, ShareListener listener) {
            this.schema = schema;
            this.listener = listener;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowShareRequest> started) {
            call = started;
        }

        @Override
        public void onNext(ShareEvent event) {
            switch (event.getEventCase()) {
                case SNAPSHOT -> {
                    Batch rows = rows(event.getSnapshot());
                    if (rows != null) {
                        listener.snapshot(event.getStep(), rows);
                    }
                }
                case CHANGES -> {
                    Batch rows = rows(event.getChanges());
                    if (rows != null) {
                        listener.changes(event.getStep(), rows);
                    }
                }
                case PROGRESS -> listener.progress(event.getStep());
                case EXPIRED -> {
                    ended = true;
                    listener.expired(event.getStep());
                }
                case ENDED -> end(event.getEnded().getReason());
                case EVENT_NOT_SET -> {
                    // Of a later release; whatever it is, it is no rows.
                }
            }
        }

        private @Nullable Batch rows(ShareRows rows) {
            pieces = pieces.concat(rows.getPiece());
            if (rows.getGoesOn()) {
                return null;
            }
            ByteString whole = pieces;
            pieces = ByteString.EMPTY;
            return BatchWire.decode(whole.asReadOnlyByteBuffer(), schema);
        }

        @Override
        public void onError(Throwable failure) {
            end(Status.fromThrowable(failure).toString());
        }

        @Override
        public void onCompleted() {
            end("The worker ended the stream");
        }

        private void end(String reason) {
            if (!ended) {
                ended = true;
                listener.ended(reason);
            }
        }

        @Override
        public void close() {
            ClientCallStreamObserver<FollowShareRequest> started = call;
            if (started != null) {
                started.cancel("The reader needs no more", null);
            }
        }
    }
}
