/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.operator.observe;

import dev.ratchet.operator.certificates.Authority;
import dev.ratchet.operator.certificates.CertificateIssuer;
import dev.ratchet.operator.certificates.CertificateLives;
import dev.ratchet.operator.certificates.LeafRotation;
import dev.ratchet.operator.certificates.SecretKeys;
import dev.ratchet.protocol.coordinator.v1.ClusterReport;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutReply;
import dev.ratchet.protocol.coordinator.v1.CommitLayoutRequest;
import dev.ratchet.protocol.coordinator.v1.CoordinatorGrpc;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatReply;
import dev.ratchet.protocol.coordinator.v1.RaiseFormatRequest;
import dev.ratchet.protocol.coordinator.v1.SetDrainingReply;
import dev.ratchet.protocol.coordinator.v1.SetDrainingRequest;
import dev.ratchet.protocol.coordinator.v1.WatchRequest;
import dev.ratchet.protocol.security.CallerPolicy;
import dev.ratchet.protocol.security.Identity;
import dev.ratchet.protocol.security.Identity.Kind;
import dev.ratchet.protocol.security.MutualTls;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker that answers the coordinator's service as it is told, over real TLS on a loopback port. */
final class ScriptedCoordinator extends CoordinatorGrpc.CoordinatorImplBase implements AutoCloseable {
    static final ClusterKey CLUSTER = new ClusterKey("team-a", "orders");
    private static final CertificateIssuer ISSUER = new CertificateIssuer(new SecureRandom());

    final List<CommitLayoutRequest> commits = new CopyOnWriteArrayList<>();
    final List<SetDrainingRequest> drainings = new CopyOnWriteArrayList<>();
    final List<RaiseFormatRequest> raises = new CopyOnWriteArrayList<>();
    private final List<StreamObserver<ClusterReport>> watchers = new CopyOnWriteArrayList<>();
    private final String seat;
    private final Server server;
    private volatile ClusterReport clusterReport;

    ScriptedCoordinator(Authority authority, String seat, ClusterReport first) throws IOException {
        this.seat = seat;
        this.clusterReport = first;
        MutualTls security = security(authority, new Identity("team-a", "orders", Kind.WORKER, seat));
        server = security.serverBuilder(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new CallerPolicy(
                                "team-a", "orders", Map.of(CoordinatorGrpc.SERVICE_NAME, Set.of(Kind.OPERATOR))))
                .addService(this)
                .build()
                .start();
    }

    static Authority authority() {
        var signer = ISSUER.authority(
                "orders", "team-a", Instant.now(), CertificateLives.ofDays(1).authority());
        return new Authority(signer, List.of(signer.certificate()));
    }

    static MutualTls security(Authority authority, Identity identity) {
        Map<String, String> data =
                new LeafRotation(ISSUER, CertificateLives.ofDays(1)).step(Map.of(), identity, authority, Instant.now());
        return MutualTls.fromPem(
                data.get(SecretKeys.CERTIFICATE), data.get(SecretKeys.KEY), data.get(SecretKeys.AUTHORITIES));
    }

    Endpoint endpoint() {
        return new Endpoint(seat, "127.0.0.1:" + server.getPort());
    }

    /** Says something to all who watch; who has heard the first report is among them. */
    synchronized void say(ClusterReport next) {
        clusterReport = next;
        watchers.forEach(watcher -> watcher.onNext(next));
    }

    @Override
    public synchronized void watch(WatchRequest request, StreamObserver<ClusterReport> watcher) {
        watcher.onNext(clusterReport);
        if (clusterReport.getRedirect()) {
            watcher.onCompleted();
        } else {
            watchers.add(watcher);
        }
    }

    @Override
    public void commitLayout(CommitLayoutRequest request, StreamObserver<CommitLayoutReply> answer) {
        commits.add(request);
        answer.onNext(CommitLayoutReply.newBuilder()
                .setCommitted(true)
                .setInForce(request.getLayout())
                .build());
        answer.onCompleted();
    }

    @Override
    public void setDraining(SetDrainingRequest request, StreamObserver<SetDrainingReply> answer) {
        drainings.add(request);
        answer.onNext(SetDrainingReply.getDefaultInstance());
        answer.onCompleted();
    }

    @Override
    public void raiseFormat(RaiseFormatRequest request, StreamObserver<RaiseFormatReply> answer) {
        raises.add(request);
        answer.onNext(RaiseFormatReply.newBuilder().setLevel(request.getLevel()).build());
        answer.onCompleted();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
