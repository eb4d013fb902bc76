/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.dataflow.share;

import dev.ratchet.dataflow.ShareFeed;
import dev.ratchet.protocol.dataflow.v1.FollowShareRequest;
import dev.ratchet.protocol.dataflow.v1.ShareEvent;
import dev.ratchet.protocol.dataflow.v1.SharesGrpc;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/** Serves this process's share of views to the workers that merge them. */
public final class SharesService extends SharesGrpc.SharesImplBase {

    /** Of one reader; what is beyond it is read again from what the feed keeps. */
    static final long WAITING_BYTES_MAX = 32 << 20;

    private final ShareFeed feed;
    private final Executor executor;
    private final long waitingBytesMax;
    private final IntSupplier level;

    /**
     * @param executor encodes rows, so that the thread which takes steps does not
     * @param level of recorded formats, in which they are
     */
    public SharesService(ShareFeed feed, Executor executor, IntSupplier level) {
        this(feed, executor, level, WAITING_BYTES_MAX);
    }

    SharesService(ShareFeed feed, Executor executor, IntSupplier level, long waitingBytesMax) {
        this.feed = feed;
        this.executor = executor;
        this.level = level;
        this.waitingBytesMax = waitingBytesMax;
    }

    @Override
    public void follow(FollowShareRequest request, StreamObserver<ShareEvent> responses) {
        ShareSender sender = new ShareSender(
                (ServerCallStreamObserver<ShareEvent>) responses, new SerialExecutor(executor), waitingBytesMax, level);
        long after = request.hasAfterStep() ? request.getAfterStep() : ShareFeed.FROM_SNAPSHOT;
        try {
            // Without a life it is 0, which is any.
            sender.start(listener -> feed.follow(request.getView(), request.getLife(), after, listener));
        } catch (IllegalArgumentException unknown) {
            responses.onError(
                    Status.NOT_FOUND.withDescription(unknown.getMessage()).asRuntimeException());
        }
    }
}
