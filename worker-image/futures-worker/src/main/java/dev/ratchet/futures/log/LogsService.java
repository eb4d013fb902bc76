/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.log;

import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.protocol.logs.v1.AttemptProgress;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.LogsGrpc;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import dev.ratchet.protocol.logs.v1.ReadProgressReply;
import dev.ratchet.protocol.logs.v1.ReadProgressRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** Tells other workers what only this one knows of its tasks: their lines, and how far they say they are. */
public final class LogsService extends LogsGrpc.LogsImplBase {

    private final LogRing ring;
    private final ProgressBoard board;

    public LogsService(LogRing ring, ProgressBoard board) {
        this.ring = ring;
        this.board = board;
    }

    @Override
    public void progress(ReadProgressRequest request, StreamObserver<ReadProgressReply> response) {
        response.onNext(progress(board, request));
        response.onCompleted();
    }

    /** What the attempts of a request have said. */
    public static ReadProgressReply progress(ProgressBoard board, ReadProgressRequest request) {
        ReadProgressReply.Builder reply = ReadProgressReply.newBuilder();
        request.getAttemptsList().forEach(attempt -> board.of(Ids.of(attempt.getFuture()), attempt.getEpoch())
                .ifPresent(progress -> reply.addProgress(AttemptProgress.newBuilder()
                        .setFuture(attempt.getFuture())
                        .setProgress(progress))));
        return reply.build();
    }

    @Override
    public void read(ReadLogsRequest request, StreamObserver<LogPage> response) {
        LogPage page;
        try {
            page = ring.read(request);
        } catch (InvalidInputException refused) {
            response.onError(Status.INVALID_ARGUMENT
                    .withDescription(refused.getMessage())
                    .asRuntimeException());
            return;
        } catch (IOException | IllegalArgumentException unreadable) {
            response.onError(Status.INTERNAL
                    .withDescription("The log can not be read: " + unreadable.getMessage())
                    .asRuntimeException());
            return;
        }
        response.onNext(page);
        response.onCompleted();
    }
}
