/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What stubs of one process call to reach one address. */
final class SimulatedChannel extends ManagedChannel {

    private final Network network;
    private final VirtualProcess caller;
    private final String address;
    private final Set<NetworkCall<?, ?>> open = new LinkedHashSet<>();
    private boolean shutDown;

    SimulatedChannel(Network network, VirtualProcess caller, String address) {
        this.network = network;
        this.caller = caller;
        this.address = address;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        NetworkCall<Q, A> call = new NetworkCall<>(network, caller, address, method, options, open::remove);
        open.add(call);
        if (shutDown) {
            call.refuse();
        }
        return call;
    }

    @Override
    public String authority() {
        return address;
    }

    @Override
    public ManagedChannel shutdown() {
        shutDown = true;
        return this;
    }

    @Override
    public ManagedChannel shutdownNow() {
        shutDown = true;
        List.copyOf(open).forEach(call -> network.world()
                .at(
                        0,
                        caller,
                        () -> call.cancelled(Status.UNAVAILABLE.withDescription("Channel shutdownNow invoked"))));
        return this;
    }

    @Override
    public boolean isShutdown() {
        return shutDown;
    }

    @Override
    public boolean isTerminated() {
        return shutDown && open.isEmpty();
    }

    /** Time passes by events only: what is not over now will not be over for a caller that waits. */
    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
