/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.membership;

import io.grpc.Channel;

/** Channels to the other workers of the cluster, verified to be the seat that they are meant for. */
@FunctionalInterface
public interface Peers {

    /** The channel to {@code seat} at {@code address} ({@code host:port}); kept and shared by the implementation. */
    Channel channel(String seat, String address);
}
