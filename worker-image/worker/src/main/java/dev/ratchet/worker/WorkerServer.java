/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.worker;

import dev.ratchet.protocol.security.TransportSecurity;
import io.grpc.BindableService;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Puts together what a worker offers on its port: who may call, on which threads, how much of it, and for how long over
 * one connection, after which the caller's certificate is looked at anew.
 */
final class WorkerServer {

    private WorkerServer() {}

    /** @param addresses decides first, then {@code admission}, then {@code shares} */
    static ServerBuilder<?> builder(
            TransportSecurity security,
            InetSocketAddress address,
            String namespace,
            String cluster,
            List<BindableService> services,
            CallThreads threads,
            PeerAddresses addresses,
            ServerInterceptor admission,
            ClientShares shares,
            ConnectionAge age) {
        ServerBuilder<?> builder = security.serverBuilder(address, ServicePolicy.of(namespace, cluster, services));
        builder.maxConnectionAge(age.meanMillis(), TimeUnit.MILLISECONDS)
                .maxConnectionAgeGrace(age.graceMillis(), TimeUnit.MILLISECONDS);
        threads.serve(builder);
        services.forEach(
                service -> builder.addService(ServerInterceptors.intercept(service, shares, admission, addresses)));
        return builder;
    }
}
