/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.simulation.network;

import dev.ratchet.simulation.world.VirtualProcess;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;

/** What stubs of one process call to reach one address. */
final class SimulatedChannel extends Channel {

    private final Network network;
    private final VirtualProcess caller;
    private final String address;

    SimulatedChannel(Network network, VirtualProcess caller, String address) {
        this.network = network;
        this.caller = caller;
        this.address = address;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new SimulatedCall<>(network, caller, address, method, options);
    }

    @Override
    public String authority() {
        return address;
    }
}
