/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership.service;

import dev.ratchet.membership.coordinator.Coordinator;
import dev.ratchet.protocol.coordinator.v1.ClearStoreReply;
import dev.ratchet.protocol.coordinator.v1.ClearStoreRequest;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatReply;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatRequest;
import dev.ratchet.protocol.coordinator.v1.SetDrainingReply;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.coordinator.v1.WatchRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/**
 * The coordinator's gRPC service, as every worker serves it. Who may call it is decided by the server it is added to.
 */
public final class CoordinatorService extends CoordinatorGrpc.CoordinatorImplBase {

    private final String namespace;
    private final String cluster;
    private final Coordinator coordinator;

    public CoordinatorService(String namespace, String cluster, Coordinator coordinator) {
        this.namespace = namespace;
        this.cluster = cluster;
        this.coordinator = coordinator;
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<ClusterReport> responses) {
        if (!request.getCluster().equals(cluster) || !request.getNamespace().equals(namespace)) {
            responses.onError(Status.FAILED_PRECONDITION
                    .withDescription("This worker belongs to cluster " + namespace + "/" + cluster + ", not to "
                            + request.getNamespace() + "/" + request.getCluster())
                    .asRuntimeException());
            return;
        }
        new WatchStream(coordinator, (ServerCallStreamObserver<ClusterReport>) responses).start();
    }

    @Override
    public void commitLayout(CommitLayoutRequest request, StreamObserver<CommitLayoutReply> responses) {
        CallAnswers.complete(coordinator.commitLayout(request), responses);
    }

    @Override
    public void setDraining(SetDrainingRequest request, StreamObserver<SetDrainingReply> responses) {
        CallAnswers.complete(
                coordinator.setDraining(request).thenApply(term -> SetDrainingReply.newBuilder()
                        .setTerm(term)
                        .build()),
                responses);
    }

    @Override
    public void raiseFormat(RaiseFormatRequest request, StreamObserver<RaiseFormatReply> responses) {
        CallAnswers.complete(
                coordinator
                        .raiseFormat(request.getStoreId(), request.getLevel())
                        .thenApply(level ->
                                RaiseFormatReply.newBuilder().setLevel(level).build()),
                responses);
    }

    @Override
    public void clearStore(ClearStoreRequest request, StreamObserver<ClearStoreReply> responses) {
        CallAnswers.complete(
                coordinator.clearStore(request.getStoreId()).thenApply(done -> ClearStoreReply.getDefaultInstance()),
                responses);
    }
}
