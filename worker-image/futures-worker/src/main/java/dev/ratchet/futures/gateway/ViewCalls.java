/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.environment.Environment;
import dev.ratchet.environment.GuardedCallbacks;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import dev.ratchet.protocol.client.v1.ReadViewsReply;
import dev.ratchet.protocol.client.v1.ReadViewsRequest;
import dev.ratchet.protocol.client.v1.ViewValues;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Reads the circuit's views and adds rows to its tables for clients and tasks. Of a circuit it knows only what the
 * worker gives.
 */
final class ViewCalls {

    /** What a message has, about. */
    static final int PIECE_BYTES = 256 << 10;

    /** A larger row than this would not fit into a message. */
    private static final int ROW_BYTES_MAX = 3 << 20;

    private static final long ANSWER_BYTES_MAX = 64 << 20;

    /** Each has a thread, and reads the shares of all workers. */
    private static final int FOLLOWERS_MAX = 256;

    private final Semaphore followers = new Semaphore(FOLLOWERS_MAX);
    private volatile @Nullable ViewSource source;
    private volatile @Nullable ViewFeeds feeds;
    private volatile @Nullable RowIntake intake;

    void from(ViewSource views, ViewFeeds fed, RowIntake taken) {
        source = views;
        feeds = fed;
        intake = taken;
    }

    /** @throws StatusRuntimeException on a worker that serves no circuit */
    RowIntake intake() {
        return served(intake);
    }

    /** @throws StatusRuntimeException on a worker that serves no circuit */
    ViewFeeds feeds() {
        return served(feeds);
    }

    private static <T> T served(@Nullable T part) {
        if (part == null) {
            throw Status.FAILED_PRECONDITION
                    .withDescription("This worker serves no circuit")
                    .asRuntimeException();
        }
        return part;
    }

    void read(ReadViewsRequest request, StreamObserver<ReadViewsReply> client) {
        var unused = GuardedCallbacks.begin(() -> snapshot(request))
                .thenApply(ViewCalls::pieces)
                .whenComplete((pieces, failure) -> {
                    if (failure != null) {
                        client.onError(Answers.status(failure));
                    } else {
                        Answers.orFail(client, () -> {
                            pieces.forEach(client::onNext);
                            client.onCompleted();
                        });
                    }
                });
    }

    void follow(FollowViewRequest request, ServerCallStreamObserver<FollowViewReply> client, Environment environment) {
        FollowStream stream = new FollowStream(client, environment);
        if (!followers.tryAcquire()) {
            client.onError(Status.UNAVAILABLE
                    .withDescription(
                            "Views are followed here " + FOLLOWERS_MAX + " times; ask another worker, or later")
                    .asRuntimeException());
            return;
        }
        var unused = GuardedCallbacks.begin(() -> follow(request, stream))
                .whenComplete((done, failure) -> GuardedCallbacks.run("ending a stream of steps", () -> {
                    followers.release();
                    if (failure != null) {
                        client.onError(Answers.status(failure));
                    } else {
                        client.onCompleted();
                    }
                }));
    }

    private CompletableFuture<Void> follow(FollowViewRequest request, FollowStream stream) {
        if (request.getAfterStep() < 0) {
            throw new IllegalArgumentException("A step is a number from 0 on, not " + request.getAfterStep());
        }
        Optional<Long> after = request.hasAfterStep() ? Optional.of(request.getAfterStep()) : Optional.empty();
        return served(source).follow(request.getView(), after, stream);
    }

    private CompletableFuture<ViewSnapshot> snapshot(ReadViewsRequest request) {
        ViewSource views = served(source);
        return switch (request.getSourceCase()) {
            case VIEW -> views.read(request.getView());
            case QUERY -> views.query(request.getQuery());
            case SOURCE_NOT_SET -> throw new IllegalArgumentException("Name a view, or give a query");
        };
    }

    private static List<ReadViewsReply> pieces(ViewSnapshot snapshot) {
        List<ReadViewsReply> pieces = new ArrayList<>();
        ReadViewsReply.Builder piece =
                ReadViewsReply.newBuilder().setStep(snapshot.step()).setPosition(snapshot.position());
        snapshot.rows().stream().findFirst().ifPresent(row -> piece.addAllColumns(row.columns()));
        int bytes = 0;
        long all = 0;
        for (ViewRow row : snapshot.rows()) {
            ViewValues values = ViewRowCodec.encode(row);
            bytes += values.getSerializedSize();
            all += values.getSerializedSize();
            requireSize(values.getSerializedSize());
            if (all > ANSWER_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "The answer has more than " + (ANSWER_BYTES_MAX >> 20) + " MiB; select less");
            }
            piece.addRows(values);
            if (bytes >= PIECE_BYTES) {
                pieces.add(piece.build());
                piece.clear();
                bytes = 0;
            }
        }
        if (pieces.isEmpty() || piece.getRowsCount() > 0) {
            pieces.add(piece.build());
        }
        return pieces;
    }

    static void requireSize(int row) {
        if (row > ROW_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "A row of the view has more than " + (ROW_BYTES_MAX >> 20) + " MiB; select fewer columns");
        }
    }
}
