/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.client;

import dev.ratchet.client.ClusterCircuit;
import dev.ratchet.client.ViewRow;
import dev.ratchet.client.ViewSnapshot;
import dev.ratchet.futures.model.ViewRowCodec;
import dev.ratchet.protocol.client.v1.ReadViewsReply;
import dev.ratchet.protocol.client.v1.ReadViewsRequest;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/** The circuit of a cluster over the gateway. Safe for use by several threads. */
final class RemoteCircuit implements ClusterCircuit {

    private final ClientHub hub;
    private final Caller caller;

    RemoteCircuit(ClientHub hub, Caller caller) {
        this.hub = hub;
        this.caller = caller;
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
