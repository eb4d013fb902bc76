/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.futures.nesting;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.util.concurrent.Executor;

/** How the tasks of a process reach a gateway in that same process. Safe for use by several threads. */
public interface Loopback {

    /** Opens {@code gateway} to this process under {@code name}; returns what ends that. Fails if the name is taken. */
    Runnable serve(String name, BindableService gateway) throws IOException;

    /** A channel to what is served under {@code name}. */
    ManagedChannel dial(String name);

    /** gRPC within the process, whose calls run on {@code executor}. */
    static Loopback inProcess(Executor executor) {
        return new Loopback() {
            @Override
            public Runnable serve(String name, BindableService gateway) throws IOException {
                Server server = InProcessServerBuilder.forName(name)
                        .executor(executor)
                        .addService(gateway)
                        .build()
                        .start();
                return server::shutdownNow;
            }

            @Override
            public ManagedChannel dial(String name) {
                return InProcessChannelBuilder.forName(name).executor(executor).build();
            }
        };
    }
}
