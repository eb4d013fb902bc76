/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.gateway;

import dev.ratchet.protocol.client.v1.HelloReply;
import dev.ratchet.protocol.client.v1.HelloRequest;
import dev.ratchet.protocol.release.VersionRange;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Who a client finds at the other end of its connection, and whether the two can talk.
 *
 * @param namespace of the cluster
 * @param cluster its name
 * @param release of Ratchet
 */
public record GatewayIdentity(String namespace, String cluster, String release) {

    /**
     * What a client is told at the beginning.
     *
     * @param seat of the worker
     * @throws StatusRuntimeException if it looks for another cluster, or speaks no protocol of this release
     */
    HelloReply greet(HelloRequest request, String seat) {
        if (!request.getCluster().equals(cluster) || !request.getNamespace().equals(namespace)) {
            throw refusal("This is a worker of " + namespace + "/" + cluster + ", not of " + request.getNamespace()
                    + "/" + request.getCluster());
        }
        VersionRange theirs = VersionRange.recorded(request.getProtocolLeast(), request.getProtocol());
        if (!VersionRange.GATEWAYS.shares(theirs)) {
            boolean older = theirs.newest() < VersionRange.GATEWAYS.least();
            throw refusal("The client (release " + request.getClientVersion() + ") speaks protocols " + theirs
                    + ", and worker " + seat + " (release " + release + ") " + VersionRange.GATEWAYS + ": "
                    + (older ? "use a later release of the client" : "upgrade the cluster, or use an earlier client"));
        }
        return HelloReply.newBuilder()
                .setSeat(seat)
                .setVersion(release)
                .setProtocol(Math.min(theirs.newest(), VersionRange.GATEWAYS.newest()))
                .build();
    }

    private static StatusRuntimeException refusal(String why) {
        return Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException();
    }
}
