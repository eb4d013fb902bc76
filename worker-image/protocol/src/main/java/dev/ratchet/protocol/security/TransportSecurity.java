/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import java.net.InetSocketAddress;

/**
 * Makes servers that know who calls them, and channels that prove who they are. There are two: {@link MutualTls}
 * everywhere, and {@link TokenSecurity} on the loopback addresses of one machine. There is none without a credential.
 * Implementations are safe for use by several threads.
 */
public interface TransportSecurity {

    /** Longest message either side accepts, in bytes; whatever is larger travels in pieces. */
    int MESSAGE_LIMIT_BYTES = 4 << 20;

    /**
     * A server at {@code address} whose every call carries {@link CallerIdentity#KEY}. Calls without an identity end
     * with UNAUTHENTICATED, calls that {@code policy} does not allow with PERMISSION_DENIED; each leaves one line in
     * the log. The caller adds services and an executor, starts it and stops it.
     */
    ServerBuilder<?> serverBuilder(InetSocketAddress address, CallerPolicy policy);

    /**
     * A channel to {@code target} ({@code host:port}; an IPv6 address in brackets) that goes on only if the other side
     * proves to be {@code authority}. Where either side refuses the other, calls fail with
     * {@link RefusedConnectionException} as cause. The caller adds an executor, builds it and shuts it down.
     */
    ManagedChannelBuilder<?> channelBuilder(String target, String authority);
}
