/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.CircuitProducer;
import dev.ratchet.client.ClusterCircuit;
import dev.ratchet.client.FeedInfo;
import dev.ratchet.client.FeedOptions;
import dev.ratchet.client.InvalidInputException;
import dev.ratchet.client.SerializableFunction;
import dev.ratchet.client.ViewChange;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.client.ViewStepListener;
import dev.ratchet.client.ViewSubscription;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.EndFeedReply;
import dev.ratchet.protocol.client.v1.EndFeedRequest;
import dev.ratchet.protocol.client.v1.FeedDescription;
import dev.ratchet.protocol.client.v1.ListFeedsReply;
import dev.ratchet.protocol.client.v1.ListFeedsRequest;
import dev.ratchet.protocol.client.v1.PutFeedRequest;
import dev.ratchet.protocol.client.v1.ReadViewsReply;
import dev.ratchet.protocol.client.v1.ReadViewsRequest;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The circuit of a cluster over the gateway. Safe for use by several threads. */
final class RemoteCircuit implements ClusterCircuit {

    private final ClientHub hub;
    private final Caller caller;
    private final TaskPackaging packaging;

    RemoteCircuit(ClientHub hub, Caller caller, TaskPackaging packaging) {
        this.hub = hub;
        this.caller = caller;
        this.packaging = packaging;
    }

    @Override
    public ViewSnapshot read(String view) {
        return read(ReadViewsRequest.newBuilder().setView(view).build());
    }

    @Override
    public ViewSnapshot query(String sql) {
        return read(ReadViewsRequest.newBuilder().setQuery(sql).build());
    }

    /** A task gives its slot to others meanwhile. */
    private ViewSnapshot read(ReadViewsRequest request) {
        try (Caller.Pause pause = caller.pause()) {
            return GatewayConnection.await(
                    hub.connection().call((stub, answer) -> stub.readViews(request, new Pieces(answer))));
        }
    }

    @Override
    public void forEach(FeedOptions feed, String view, SerializableFunction<ViewChange, ?> task) {
        TaskPackaging.Template template = packaging.template(task, feed.task());
        PutFeedRequest.Builder request = PutFeedRequest.newBuilder()
                .setName(feed.name())
                .setView(view)
                .setPendingMax(feed.pendingMax())
                .setFunction(template.function())
                .setTemplate(template.future());
        feed.after().ifPresent(request::setAfterStep);
        try (Caller.Pause pause = caller.pause()) {
            GatewayConnection.await(template.ready());
            GatewayConnection.await(
                    hub.connection().<FeedDescription>call((stub, answer) -> stub.putFeed(request.build(), answer)));
        }
    }

    @Override
    public CircuitProducer producer(String name) {
        return new RemoteProducer(hub, caller, name);
    }

    @Override
    public ViewSubscription subscribe(String view, ViewStepListener listener) {
        return new RemoteSubscription(hub.connection(), view, OptionalLong.empty(), listener).begin();
    }

    @Override
    public ViewSubscription subscribe(String view, long afterStep, ViewStepListener listener) {
        if (afterStep < 0) {
            throw new InvalidInputException("A step is a number from 0 on, not " + afterStep + ".");
        }
        return new RemoteSubscription(hub.connection(), view, OptionalLong.of(afterStep), listener).begin();
    }

    @Override
    public List<FeedInfo> feeds() {
        ListFeedsRequest all = ListFeedsRequest.getDefaultInstance();
        ListFeedsReply reply =
                GatewayConnection.await(hub.connection().call((stub, answer) -> stub.listFeeds(all, answer)));
        return reply.getFeedsList().stream()
                .map(feed -> new FeedInfo(
                        feed.getName(),
                        feed.getView(),
                        feed.getJob(),
                        feed.getStep(),
                        feed.getSubmitted(),
                        feed.getStop()))
                .toList();
    }

    @Override
    public boolean endFeed(String name) {
        EndFeedRequest request = EndFeedRequest.newBuilder().setName(name).build();
        return GatewayConnection.await(
                        hub.connection().<EndFeedReply>call((stub, answer) -> stub.endFeed(request, answer)))
                .getEnded();
    }

    /** Puts the pieces of one answer together; one that breaks off is asked for anew from its beginning. */
    private static final class Pieces implements StreamObserver<ReadViewsReply> {
        private final StreamObserver<ViewSnapshot> answer;
        private final List<ViewRow> rows = new ArrayList<>();
        private ReadViewsReply head = ReadViewsReply.getDefaultInstance();
        private boolean hasBegun;

        Pieces(StreamObserver<ViewSnapshot> answer) {
            this.answer = answer;
        }

        @Override
        public void onNext(ReadViewsReply piece) {
            if (!hasBegun) {
                hasBegun = true;
                head = piece.toBuilder().clearRows().build();
            }
            piece.getRowsList().forEach(row -> rows.add(ViewRowCodec.decode(head.getColumnsList(), row)));
        }

        @Override
        public void onError(Throwable failure) {
            answer.onError(failure);
        }

        @Override
        public void onCompleted() {
            if (hasBegun) {
                answer.onNext(new ViewSnapshot(head.getStep(), head.getPosition(), rows));
            }
            answer.onCompleted();
        }
    }
}
