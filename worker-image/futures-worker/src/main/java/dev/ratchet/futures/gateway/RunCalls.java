/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.apple.foundationdb.async.AsyncUtil;
import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.log.LogsService;
import dev.ratchet.futures.log.ProgressBoard;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.LogsReply;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.client.v1.ReportReply;
import dev.ratchet.protocol.client.v1.ReportRequest;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.logs.v1.LogPage;
import dev.ratchet.protocol.logs.v1.LogsGrpc;
import dev.ratchet.protocol.logs.v1.LogsGrpc.LogsStub;
import dev.ratchet.protocol.logs.v1.ReadLogsRequest;
import dev.ratchet.protocol.logs.v1.ReadProgressReply;
import dev.ratchet.protocol.logs.v1.ReadProgressRequest;
import dev.ratchet.protocol.logs.v1.TaskAttempt;
import dev.ratchet.protocol.logs.v1.TaskProgress;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** What only the worker knows that runs a future: its lines, and how far it says it is. Asked for on its behalf. */
final class RunCalls {

    private static final int NOTE_LENGTH_MAX = 200;

    /** How long other workers are waited for that may have something to add. */
    private static final long PROGRESS_LIMIT_MILLIS = 500;

    /** How long another worker is waited for that is asked for its lines. */
    private static final long LOGS_LIMIT_MILLIS = 5_000;

    private final Seat seat;
    private final Queries queries;
    private final Peers peers;
    private final LogRing ring;
    private final ProgressBoard board;

    RunCalls(Seat seat, Queries queries, Peers peers, LogRing ring, ProgressBoard board) {
        this.seat = seat;
        this.queries = queries;
        this.peers = peers;
        this.ring = ring;
        this.board = board;
    }

    /** Lines of a worker, or of the one that ran a future last. */
    CompletableFuture<LogsReply> logs(LogsRequest request) {
        ReadLogsRequest read = ReadLogsRequest.newBuilder()
                .setFrom(request.getFrom())
                .setLimit(request.getLimit())
                .setTail(request.getTail())
                .setFuture(request.getFuture())
                .setJob(request.getJob())
                .setBefore(request.getBefore())
                .setPattern(request.getPattern())
                .addAllFutures(request.getFuturesList())
                .build();
        return logSeat(request).thenCompose(name -> readLogs(name, read)
                .thenApply(page ->
                        LogsReply.newBuilder().setSeat(name).setPage(page).build()));
    }

    private CompletableFuture<String> logSeat(LogsRequest request) {
        if (!request.getSeat().isEmpty()) {
            return CompletableFuture.completedFuture(request.getSeat());
        }
        FutureId id = Ids.of(request.getFuture());
        return queries.record(id).thenApply(record -> {
            String claimedBy = GatewayService.known(id, record).getClaim().getSeat();
            if (claimedBy.isEmpty()) {
                throw Status.NOT_FOUND
                        .withDescription("The future " + id + " has not run yet")
                        .asRuntimeException();
            }
            return claimedBy;
        });
    }

    private CompletableFuture<LogPage> readLogs(String name, ReadLogsRequest read) {
        if (name.equals(seat.name())) {
            try {
                return CompletableFuture.completedFuture(ring.read(read));
            } catch (IOException | InvalidInputException unreadable) {
                return CompletableFuture.failedFuture(unreadable);
            }
        }
        return this.<LogPage>ask(
                        name, (stub, answer) -> stub.withDeadlineAfter(LOGS_LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                                .read(read, answer))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(told(name, failure)));
    }

    /** Another worker of which nothing can be had is no reason to ask again through another one. */
    private static StatusRuntimeException told(String name, Throwable failure) {
        StatusRuntimeException status = Answers.status(failure);
        return switch (status.getStatus().getCode()) {
            case INVALID_ARGUMENT, NOT_FOUND -> status;
            default ->
                Status.FAILED_PRECONDITION
                        .withDescription("The worker " + name + " can not be asked for its lines: "
                                + status.getStatus().getCode()
                                + (status.getStatus().getDescription() == null
                                        ? ""
                                        : ", " + status.getStatus().getDescription()))
                        .asRuntimeException();
        };
    }

    /** Notes how far a task of this worker says it is. */
    ReportReply report(ReportRequest request) {
        TaskProgress progress = request.getProgress();
        if (progress.getNote().length() > NOTE_LENGTH_MAX) {
            throw new IllegalArgumentException("A note has at most " + NOTE_LENGTH_MAX + " characters");
        }
        board.report(Ids.of(request.getId()), request.getEpoch(), progress);
        return ReportReply.getDefaultInstance();
    }

    /**
     * The same descriptions, those that run with what they have said of their progress. A worker that does not answer
     * in time adds nothing.
     */
    CompletableFuture<List<FutureDescription>> withProgress(List<FutureDescription> described) {
        Map<String, ReadProgressRequest.Builder> bySeat = new TreeMap<>();
        for (FutureDescription future : described) {
            if (future.getState() == State.STATE_CLAIMED) {
                bySeat.computeIfAbsent(future.getClaim().getSeat(), name -> ReadProgressRequest.newBuilder())
                        .addAttempts(TaskAttempt.newBuilder()
                                .setFuture(future.getId())
                                .setEpoch(future.getClaim().getEpoch()));
            }
        }
        if (bySeat.isEmpty()) {
            return CompletableFuture.completedFuture(described);
        }
        List<CompletableFuture<ReadProgressReply>> replies = new ArrayList<>();
        bySeat.forEach((name, request) -> replies.add(progress(name, request.build())));
        return AsyncUtil.whenAll(replies).thenApply(unused -> {
            Map<ByteString, TaskProgress> said = new HashMap<>();
            replies.forEach(reply ->
                    reply.join().getProgressList().forEach(one -> said.put(one.getFuture(), one.getProgress())));
            return described.stream()
                    .map(future -> said.containsKey(future.getId())
                            ? future.toBuilder()
                                    .setProgress(said.get(future.getId()))
                                    .build()
                            : future)
                    .toList();
        });
    }

    private CompletableFuture<ReadProgressReply> progress(String name, ReadProgressRequest request) {
        if (name.equals(seat.name())) {
            return CompletableFuture.completedFuture(LogsService.progress(board, request));
        }
        return this.<ReadProgressReply>ask(
                        name, (stub, answer) -> stub.withDeadlineAfter(PROGRESS_LIMIT_MILLIS, TimeUnit.MILLISECONDS)
                                .progress(request, answer))
                .exceptionally(unknown -> ReadProgressReply.getDefaultInstance());
    }

    /** Asks another worker. */
    private <T> CompletableFuture<T> ask(String name, BiConsumer<LogsStub, StreamObserver<T>> call) {
        return queries.member(name).thenCompose(member -> {
            if (member.isEmpty()) {
                throw Status.NOT_FOUND
                        .withDescription("No worker has the seat " + name)
                        .asRuntimeException();
            }
            CompletableFuture<T> result = new CompletableFuture<>();
            call.accept(LogsGrpc.newStub(peers.channel(name, member.get().address())), new StreamObserver<>() {
                @Override
                public void onNext(T value) {
                    result.complete(value);
                }

                @Override
                public void onError(Throwable failure) {
                    result.completeExceptionally(failure);
                }

                @Override
                public void onCompleted() {
                    result.completeExceptionally(new IllegalStateException("No answer from " + name));
                }
            });
            return result;
        });
    }
}
