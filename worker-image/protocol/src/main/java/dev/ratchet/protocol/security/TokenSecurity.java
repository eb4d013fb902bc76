/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import dev.ratchet.protocol.security.CallerInterceptor.Refusal;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerBuilder;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A shared secret for the processes of one person on one machine: loopback addresses only, and the file that holds the
 * token must be readable by its owner alone. Whoever can read it owns the cluster, so the identity that a caller names
 * is believed. The token travels unencrypted, which is why no other address is served or dialled.
 */
public final class TokenSecurity implements TransportSecurity {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> IDENTITY =
            Metadata.Key.of("ratchet-identity", Metadata.ASCII_STRING_MARSHALLER);
    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final int SHORTEST_TOKEN = 16;
    private static final int LONGEST_TOKEN = 4096;

    private final String bearer;
    private final Identity self;

    private TokenSecurity(String token, Identity self) {
        this.bearer = "Bearer " + token;
        this.self = self;
    }

    /**
     * The token in {@code file}, surrounding white space removed, used in the name of {@code self}.
     *
     * @throws IllegalArgumentException if the file can not be read, can be read by others than its owner, or holds less
     *     than 16 characters
     */
    public static TokenSecurity fromFile(Path file, Identity self) {
        try {
            if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
                throw new IllegalArgumentException(
                        "The token file " + file + " is open to others than its owner: run chmod 600 " + file);
            }
            if (Files.size(file) > LONGEST_TOKEN) {
                throw new IllegalArgumentException(
                        "The token file " + file + " is longer than " + LONGEST_TOKEN + " bytes");
            }
            String token = Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (token.length() < SHORTEST_TOKEN) {
                throw new IllegalArgumentException("The token in " + file + " is shorter than " + SHORTEST_TOKEN
                        + " characters: make a longer one");
            }
            return new TokenSecurity(token, self);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The token file " + file + " can not be read: " + unreadable, unreadable);
        }
    }

    @Override
    public ServerBuilder<?> serverBuilder(InetSocketAddress address, CallerPolicy policy) {
        if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("A server with a token listens on loopback only, not on " + address
                    + ": use mutual TLS (RATCHET_TLS_DIR)");
        }
        return Keepalive.apply(NettyServerBuilder.forAddress(address))
                .intercept(new CallerInterceptor(policy, this::identify));
    }

    @Override
    public ManagedChannelBuilder<?> channelBuilder(String target, String authority) {
        URI uri = URI.create("ratchet://" + target);
        if (uri.getHost() == null
                || !new InetSocketAddress(uri.getHost(), Math.max(0, uri.getPort()))
                        .getAddress()
                        .isLoopbackAddress()) {
            throw new IllegalArgumentException("A token is sent to loopback addresses only, not to " + target
                    + ": use mutual TLS (RATCHET_TLS_DIR)");
        }
        return Keepalive.apply(NettyChannelBuilder.forTarget(target))
                .usePlaintext()
                .overrideAuthority(authority)
                .intercept(new DetachedCalls(), new RefusalInterceptor(target, new TokenRefusals()), new TokenSender());
    }

    private Identity identify(Attributes connection, Metadata headers) throws Refusal {
        String shown = headers.get(AUTHORIZATION);
        if (shown == null) {
            throw new Refusal("no token was shown");
        }
        if (!MessageDigest.isEqual(
                shown.getBytes(StandardCharsets.US_ASCII), bearer.getBytes(StandardCharsets.US_ASCII))) {
            throw new Refusal("the token shown is not the one in this server's token file");
        }
        String identity = headers.get(IDENTITY);
        try {
            return Identity.parse(String.valueOf(identity));
        } catch (IllegalArgumentException malformed) {
            throw new Refusal(String.valueOf(malformed.getMessage()));
        }
    }

    private final class TokenRefusals implements RefusalInterceptor.Explanation {
        @Override
        public String shown() {
            return "the token of " + self;
        }

        @Override
        public String remedy() {
            return "Use the token file of that server (RATCHET_TOKEN_FILE)";
        }

        /**
         * A server with a token greets first. One with TLS takes a greeting without it for noise and hangs up; but so
         * do other services, and forwarders of connections behind which nobody serves.
         */
        @Override
        public @Nullable String refusal(String target, Status status) {
            return RefusalInterceptor.isCut(status)
                    ? target
                            + " hung up without a greeting: it wants TLS, is another service, or ends. Use certificates"
                            + " (RATCHET_TLS_DIR) instead of the token if it wants TLS, or check the address"
                    : null;
        }
    }

    private final class TokenSender implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    headers.put(AUTHORIZATION, bearer);
                    headers.put(IDENTITY, self.uri());
                    super.start(listener, headers);
                }
            };
        }
    }
}
