/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import com.google.protobuf.ByteString;
import dev.ratchet.client.FutureId;
import dev.ratchet.environment.Environment;
import dev.ratchet.futures.claim.WorkerContext;
import dev.ratchet.futures.collect.RetentionSetting;
import dev.ratchet.futures.log.LogRing;
import dev.ratchet.futures.log.ProgressBoard;
import dev.ratchet.futures.model.BlockIds;
import dev.ratchet.futures.model.Ids;
import dev.ratchet.futures.object.ObjectStore;
import dev.ratchet.futures.object.ValueRelay;
import dev.ratchet.futures.record.FutureStore;
import dev.ratchet.futures.submit.SpeculativeValues;
import dev.ratchet.futures.submit.Submission;
import dev.ratchet.futures.submit.SubmittedFunctions;
import dev.ratchet.futures.worker.Worker;
import dev.ratchet.membership.Members;
import dev.ratchet.membership.Peers;
import dev.ratchet.membership.Seat;
import dev.ratchet.membership.client.ClientLeases;
import dev.ratchet.protocol.client.v1.AddRowsRequest;
import dev.ratchet.protocol.client.v1.ArtifactChunk;
import dev.ratchet.protocol.client.v1.AttachReply;
import dev.ratchet.protocol.client.v1.AttachRequest;
import dev.ratchet.protocol.client.v1.AwaitRequest;
import dev.ratchet.protocol.client.v1.BindReply;
import dev.ratchet.protocol.client.v1.BindRequest;
import dev.ratchet.protocol.client.v1.BlockOutcome;
import dev.ratchet.protocol.client.v1.CancelReply;
import dev.ratchet.protocol.client.v1.CancelRequest;
import dev.ratchet.protocol.client.v1.CheckReply;
import dev.ratchet.protocol.client.v1.CheckRequest;
import dev.ratchet.protocol.client.v1.ContentChunk;
import dev.ratchet.protocol.client.v1.DeleteReply;
import dev.ratchet.protocol.client.v1.DeleteRequest;
import dev.ratchet.protocol.client.v1.DescribeProducerRequest;
import dev.ratchet.protocol.client.v1.DescribeRequest;
import dev.ratchet.protocol.client.v1.DetachReply;
import dev.ratchet.protocol.client.v1.DetachRequest;
import dev.ratchet.protocol.client.v1.EmitReply;
import dev.ratchet.protocol.client.v1.EmitRequest;
import dev.ratchet.protocol.client.v1.EndFeedReply;
import dev.ratchet.protocol.client.v1.EndFeedRequest;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.FetchRequest;
import dev.ratchet.protocol.client.v1.FollowViewReply;
import dev.ratchet.protocol.client.v1.FollowViewRequest;
import dev.ratchet.protocol.client.v1.FutureDescription;
import dev.ratchet.protocol.client.v1.GatewayGrpc;
import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.client.v1.HoldReply;
import dev.ratchet.protocol.client.v1.HoldRequest;
import dev.ratchet.protocol.client.v1.ListFeedsReply;
import dev.ratchet.protocol.client.v1.ListFeedsRequest;
import dev.ratchet.protocol.client.v1.ListObjectsReply;
import dev.ratchet.protocol.client.v1.ListObjectsRequest;
import dev.ratchet.protocol.client.v1.ListReply;
import dev.ratchet.protocol.client.v1.ListRequest;
import dev.ratchet.protocol.client.v1.LogsReply;
import dev.ratchet.protocol.client.v1.LogsRequest;
import dev.ratchet.protocol.client.v1.MissingArtifactsReply;
import dev.ratchet.protocol.client.v1.MissingArtifactsRequest;
import dev.ratchet.protocol.client.v1.Outcome;
import dev.ratchet.protocol.client.v1.OutcomeBatch;
import dev.ratchet.protocol.client.v1.PlaceReply;
import dev.ratchet.protocol.client.v1.PlaceRequest;
import dev.ratchet.protocol.client.v1.PrioritizeReply;
import dev.ratchet.protocol.client.v1.PrioritizeRequest;
import dev.ratchet.protocol.client.v1.ProducerDescription;
import dev.ratchet.protocol.client.v1.PutChunk;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.client.v1.PutReply;
import dev.ratchet.protocol.client.v1.ReadItemsReply;
import dev.ratchet.protocol.client.v1.ReadItemsRequest;
import dev.ratchet.protocol.client.v1.ReadViewsReply;
import dev.ratchet.protocol.client.v1.ReadViewsRequest;
import dev.ratchet.protocol.client.v1.ReportReply;
import dev.ratchet.protocol.client.v1.ReportRequest;
import dev.ratchet.protocol.client.v1.RetainReply;
import dev.ratchet.protocol.client.v1.RetainRequest;
import dev.ratchet.protocol.client.v1.StatusReply;
import dev.ratchet.protocol.client.v1.StatusRequest;
import dev.ratchet.protocol.client.v1.SubmitReply;
import dev.ratchet.protocol.client.v1.SubmitRequest;
import dev.ratchet.protocol.client.v1.SummaryReply;
import dev.ratchet.protocol.client.v1.SummaryRequest;
import dev.ratchet.protocol.client.v1.UploadReply;
import dev.ratchet.protocol.client.v1.ValueChunk;
import dev.ratchet.protocol.futures.v1.FutureRecord;
import dev.ratchet.protocol.futures.v1.ResultRun;
import dev.ratchet.protocol.futures.v1.State;
import dev.ratchet.protocol.sessions.v1.AskSlotsReply;
import dev.ratchet.protocol.sessions.v1.AskSlotsRequest;
import dev.ratchet.protocol.sessions.v1.CloseSessionRequest;
import dev.ratchet.protocol.sessions.v1.DescribeSessionRequest;
import dev.ratchet.protocol.sessions.v1.ListSessionsReply;
import dev.ratchet.protocol.sessions.v1.ListSessionsRequest;
import dev.ratchet.protocol.sessions.v1.OpenSessionRequest;
import dev.ratchet.protocol.sessions.v1.SessionDescription;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What clients ask of this worker; every worker answers alike, because the truth is in the store. Others than the
 * worker's own tasks reach it through {@link SettledOnly}.
 */
public final class GatewayService extends GatewayGrpc.GatewayImplBase {

    private static final int REPLY_BYTES_MAX = 1 << 20;

    private final GatewayIdentity identity;
    private final Seat seat;
    private final Worker worker;
    private final Waiters waiters;
    private final ValueRelay values;
    private final RunCalls runs;
    private final Uploads uploads;
    private final Queries queries;
    private final ObjectStore objects;
    private final ObjectCalls objectCalls;
    private final Listing listing;
    private final ClientCalls clientCalls;
    private final Checks checks;
    private final RetentionSetting retention;
    private final SessionCalls sessions;
    private final ViewCalls views = new ViewCalls();
    private final Environment environment;
    private final Executor executor;
    private final Confinement confinement;
    private final FutureCalls futureCalls;

    public GatewayService(
            GatewayIdentity identity,
            WorkerContext context,
            ClientLeases leases,
            Worker worker,
            Waiters waiters,
            ValueRelay values,
            Peers peers,
            LogRing ring,
            ProgressBoard board,
            ObjectStore objects) {
        FutureStore store = context.store();
        Members members = context.members();
        this.identity = identity;
        this.seat = context.seat();
        this.worker = worker;
        this.waiters = waiters;
        this.values = values;
        this.uploads = new Uploads(store);
        this.objects = objects;
        this.objectCalls = new ObjectCalls(store, worker.placement());
        this.queries = new Queries(store, members);
        this.runs = new RunCalls(seat, queries, peers, ring, board);
        this.listing = new Listing(store);
        this.clientCalls = new ClientCalls(leases, worker.holders());
        this.sessions = new SessionCalls(worker.sessions());
        this.checks = new Checks(store, members);
        this.retention = new RetentionSetting(store);
        this.environment = store.environment();
        this.executor = environment.executor();
        this.confinement = new Confinement(queries);
        this.futureCalls = new FutureCalls(worker, confinement);
    }

    /** Has views of the circuit read and followed there, and rows added, instead of refusing to. */
    public void serveCircuit(ViewSource source, ViewFeeds feeds, RowIntake intake) {
        views.from(source, feeds, intake);
    }

    @Override
    public void addRows(AddRowsRequest request, StreamObserver<ProducerDescription> client) {
        Answers.answer(() -> views.intake().add(request), client);
    }

    @Override
    public void describeProducer(DescribeProducerRequest request, StreamObserver<ProducerDescription> client) {
        Answers.answer(() -> views.intake().received(request.getProducer()), client);
    }

    @Override
    public void putFeed(PutFeedRequest request, StreamObserver<FeedDescription> client) {
        Answers.answer(() -> views.feeds().put(request), client);
    }

    @Override
    public void listFeeds(ListFeedsRequest request, StreamObserver<ListFeedsReply> client) {
        Answers.answer(() -> views.feeds().list(), client);
    }

    @Override
    public void endFeed(EndFeedRequest request, StreamObserver<EndFeedReply> client) {
        Answers.answer(() -> views.feeds().end(request.getName()), client);
    }

    /** The rows are made and sent on the thread that the source completes on. */
    @Override
    public void readViews(ReadViewsRequest request, StreamObserver<ReadViewsReply> client) {
        views.read(request, client);
    }

    @Override
    public void followView(FollowViewRequest request, StreamObserver<FollowViewReply> client) {
        views.follow(request, (ServerCallStreamObserver<FollowViewReply>) client, environment);
    }

    @Override
    public void hello(HelloRequest request, StreamObserver<HelloReply> client) {
        Answers.answer(() -> CompletableFuture.completedFuture(identity.greet(request, seat.name())), client);
    }

    @Override
    public void missingArtifacts(MissingArtifactsRequest request, StreamObserver<MissingArtifactsReply> client) {
        Answers.answer(uploads.missing(request), client);
    }

    @Override
    public StreamObserver<ArtifactChunk> uploadArtifact(StreamObserver<UploadReply> client) {
        return uploads.artifact((ServerCallStreamObserver<UploadReply>) client);
    }

    @Override
    public StreamObserver<ContentChunk> uploadContent(StreamObserver<UploadReply> client) {
        return uploads.content((ServerCallStreamObserver<UploadReply>) client);
    }

    /** Never blocks and takes short: may be called by the thread of a network. */
    @Override
    public void submit(SubmitRequest request, StreamObserver<SubmitReply> client) {
        submit(request, SpeculativeValues.NOBODY, client);
    }

    /** As {@link #submit}. */
    @Override
    public void submitSpeculatively(SubmitRequest request, StreamObserver<SubmitReply> client) {
        // Else what is sent to a client that is gone would fail, and with it what records the values.
        ((ServerCallStreamObserver<SubmitReply>) client).setOnCancelHandler(() -> {});
        submit(request, values -> client.onNext(unrecorded(values)), client);
    }

    private static SubmitReply unrecorded(Map<FutureId, ByteString> values) {
        SubmitReply.Builder reply = SubmitReply.newBuilder();
        values.forEach((id, value) -> reply.addUnrecorded(Outcome.newBuilder()
                .setId(Ids.bytes(id))
                .setState(State.STATE_REALIZED)
                .setInline(value)
                .setAttempts(1)));
        return reply.build();
    }

    private void submit(SubmitRequest asked, SpeculativeValues early, StreamObserver<SubmitReply> client) {
        SubmitRequest request;
        try {
            request = Confinement.bound(asked);
            SubmittedFunctions.requireTrue(request.getFunctionsList());
        } catch (IllegalArgumentException | StatusRuntimeException refused) {
            client.onError(Answers.status(refused));
            return;
        }
        Optional<String> waiter = request.getNotify() ? Optional.of(seat.name()) : Optional.empty();
        Answers.answer(
                CompletableFuture.supplyAsync(
                                () -> worker.submit(request, waiter, early),
                                Submission.isSmall(request) ? Runnable::run : executor)
                        .thenCompose(submitted -> submitted)
                        .thenApply(GatewayService::reply),
                client);
    }

    /** Outcomes that do not fit into the reply are asked for by their clients. */
    private static SubmitReply reply(Submission.Submitted submitted) {
        SubmitReply.Builder reply = SubmitReply.newBuilder().addAllRefusals(submitted.refusals());
        int bytes = 0;
        for (Map.Entry<FutureId, FutureRecord> done : submitted.done().entrySet()) {
            List<ResultRun> results = submitted.results().get(done.getKey());
            if (results != null) {
                BlockOutcome block = Outcomes.of(done.getKey(), results, done.getValue());
                bytes += block.getSerializedSize();
                if (bytes <= REPLY_BYTES_MAX) {
                    reply.addBlocks(block);
                }
                continue;
            }
            if (BlockIds.isBlock(done.getKey())) {
                continue;
            }
            Outcome outcome = Outcomes.of(done.getKey(), done.getValue());
            bytes += outcome.getSerializedSize();
            if (bytes > REPLY_BYTES_MAX) {
                break;
            }
            reply.addOutcomes(outcome);
        }
        return reply.build();
    }

    @Override
    public void emit(EmitRequest request, StreamObserver<EmitReply> client) {
        try {
            Answers.answer(worker.items().emit(request), client);
        } catch (IllegalArgumentException refused) {
            client.onError(Answers.status(refused));
        }
    }

    @Override
    public void readItems(ReadItemsRequest request, StreamObserver<ReadItemsReply> client) {
        try {
            Answers.answer(worker.items().read(request), client);
        } catch (IllegalArgumentException refused) {
            client.onError(Answers.status(refused));
        }
    }

    @Override
    public StreamObserver<AwaitRequest> await(StreamObserver<OutcomeBatch> client) {
        return new AwaitStream(
                waiters, worker::awaiting, queries::results, seat.name(), (ServerCallStreamObserver<OutcomeBatch>)
                        client);
    }

    @Override
    public void fetch(FetchRequest request, StreamObserver<ValueChunk> client) {
        try {
            values.send(Ids.of(request.getId()), request.getKeepLost(), (ServerCallStreamObserver<ValueChunk>) client);
        } catch (IllegalArgumentException refused) {
            client.onError(Answers.status(refused));
        }
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<CancelReply> client) {
        Answers.answer(() -> futureCalls.cancel(request), client);
    }

    @Override
    public void list(ListRequest request, StreamObserver<ListReply> client) {
        Answers.answer(
                () -> listing.page(Confinement.bound(request))
                        .thenCompose(
                                page -> runs.withProgress(page.getFuturesList()).thenApply(futures -> page.toBuilder()
                                        .clearFutures()
                                        .addAllFutures(futures)
                                        .build())),
                client);
    }

    @Override
    public void prioritize(PrioritizeRequest request, StreamObserver<PrioritizeReply> client) {
        Answers.answer(() -> futureCalls.prioritize(request), client);
    }

    @Override
    public void retain(RetainRequest request, StreamObserver<RetainReply> client) {
        CompletableFuture<Long> millis;
        try {
            millis = request.hasRetentionMillis() ? retention.set(request.getRetentionMillis()) : retention.read();
        } catch (IllegalArgumentException refused) {
            millis = CompletableFuture.failedFuture(refused);
        }
        Answers.answer(
                millis.thenApply(inForce ->
                        RetainReply.newBuilder().setRetentionMillis(inForce).build()),
                client);
    }

    @Override
    public void delete(DeleteRequest request, StreamObserver<DeleteReply> client) {
        Answers.answer(() -> futureCalls.delete(request), client);
    }

    @Override
    public StreamObserver<PutChunk> put(StreamObserver<PutReply> client) {
        return new PutUpload(worker.valueRegistration(), objects, (ServerCallStreamObserver<PutReply>) client);
    }

    @Override
    public void place(PlaceRequest request, StreamObserver<PlaceReply> client) {
        Answers.answer(() -> objectCalls.place(request), client);
    }

    @Override
    public void attach(AttachRequest request, StreamObserver<AttachReply> client) {
        try {
            clientCalls.attach(request, (ServerCallStreamObserver<AttachReply>) client);
        } catch (IllegalArgumentException refused) {
            client.onError(Answers.status(refused));
        }
    }

    @Override
    public void detach(DetachRequest request, StreamObserver<DetachReply> client) {
        Answers.answer(() -> clientCalls.detach(request), client);
    }

    @Override
    public void hold(HoldRequest request, StreamObserver<HoldReply> client) {
        Answers.answer(() -> clientCalls.hold(request), client);
    }

    @Override
    public void bind(BindRequest request, StreamObserver<BindReply> client) {
        Answers.answer(() -> clientCalls.bind(Confinement.bound(request)), client);
    }

    @Override
    public void listObjects(ListObjectsRequest request, StreamObserver<ListObjectsReply> client) {
        Answers.answer(objectCalls.list(request), client);
    }

    @Override
    public void check(CheckRequest request, StreamObserver<CheckReply> client) {
        Answers.answer(checks.check(), client);
    }

    @Override
    public void openSession(OpenSessionRequest request, StreamObserver<SessionDescription> client) {
        Answers.answer(() -> sessions.open(request), client);
    }

    @Override
    public void closeSession(CloseSessionRequest request, StreamObserver<SessionDescription> client) {
        Answers.answer(() -> sessions.close(Confinement.bound(request)), client);
    }

    @Override
    public void askSessions(AskSlotsRequest request, StreamObserver<AskSlotsReply> client) {
        Answers.answer(() -> sessions.ask(Confinement.bound(request)), client);
    }

    @Override
    public void describeSession(DescribeSessionRequest request, StreamObserver<SessionDescription> client) {
        Answers.answer(() -> sessions.describe(request), client);
    }

    @Override
    public void listSessions(ListSessionsRequest request, StreamObserver<ListSessionsReply> client) {
        Answers.answer(() -> sessions.list(request), client);
    }

    @Override
    public void summary(SummaryRequest request, StreamObserver<SummaryReply> client) {
        Answers.answer(queries.summary(request.getJob()), client);
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusReply> client) {
        Answers.answer(
                queries.status().thenApply(reply -> reply.setCluster(identity.cluster())
                        .setNamespace(identity.namespace())
                        .setSeat(seat.name())
                        .build()),
                client);
    }

    @Override
    public void describe(DescribeRequest request, StreamObserver<FutureDescription> client) {
        try {
            FutureId id = Ids.of(request.getId());
            Answers.answer(
                    queries.described(id)
                            .thenCompose(described -> runs.withProgress(List.of(described)))
                            .thenApply(described -> described.get(0)),
                    client);
        } catch (IllegalArgumentException refused) {
            client.onError(Answers.status(refused));
        }
    }

    static FutureRecord known(FutureId id, Optional<FutureRecord> record) {
        return record.orElseThrow(() ->
                Status.NOT_FOUND.withDescription("No future has the id " + id).asRuntimeException());
    }

    @Override
    public void report(ReportRequest request, StreamObserver<ReportReply> client) {
        Answers.answer(() -> CompletableFuture.completedFuture(runs.report(request)), client);
    }

    @Override
    public void logs(LogsRequest request, StreamObserver<LogsReply> client) {
        Answers.answer(() -> confinement.requireOwnLines(request).thenCompose(own -> runs.logs(request)), client);
    }
}
