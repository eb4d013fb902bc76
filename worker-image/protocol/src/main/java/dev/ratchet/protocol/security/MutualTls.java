/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import dev.ratchet.protocol.security.CallerInterceptor.Refusal;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.ServerBuilder;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSslSessionContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 with certificates on both sides. The caller is known by the URI in its certificate; the callee is verified by
 * its DNS name. A caller that shows no certificate, or one that is not acceptable, is refused in the handshake, before
 * it can ask for anything; one whose certificate carries no identity at its first call.
 */
public final class MutualTls implements TransportSecurity {

    private static final String PROTOCOL = "TLSv1.3";
    private static final Attributes.Key<Identity> IDENTITY = Attributes.Key.create("ratchet-identity");

    private final CredentialSource source;
    private final SslContext clientContext;
    private @Nullable SslContext serverContext;

    private MutualTls(CredentialSource source) {
        this.source = source;
        try {
            clientContext = GrpcSslContexts.configure(SslContextBuilder.forClient())
                    .keyManager(new RotatingKeyManager(source))
                    .trustManager(new RotatingTrustManager(source))
                    .protocols(PROTOCOL)
                    .build();
        } catch (SSLException unsupported) {
            throw new IllegalStateException("This Java runtime can not speak " + PROTOCOL, unsupported);
        }
        forgetSessions(clientContext);
    }

    /** Made by the first server: most processes that use this only call. */
    private synchronized SslContext servers() {
        if (serverContext == null) {
            try {
                serverContext = GrpcSslContexts.configure(SslContextBuilder.forServer(new RotatingKeyManager(source)))
                        .trustManager(new RotatingTrustManager(source))
                        .clientAuth(ClientAuth.REQUIRE)
                        .protocols(PROTOCOL)
                        .build();
            } catch (SSLException unsupported) {
                throw new IllegalStateException("This Java runtime can not speak " + PROTOCOL, unsupported);
            }
            forgetSessions(serverContext);
        }
        return serverContext;
    }

    /** A resumed session keeps the certificates of the first handshake: a rotation or an expiry would go unnoticed. */
    private static void forgetSessions(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        } else {
            context.sessionContext().setSessionTimeout(1);
        }
    }

    /**
     * Credentials in {@code tls.crt}, {@code tls.key} (PKCS#8) and {@code ca.crt} of {@code directory}, such as a
     * mounted Secret; changes are followed without restart and hold for connections made from then on.
     *
     * @throws IllegalArgumentException if there is no usable credential now
     */
    public static MutualTls fromDirectory(Path directory) {
        return new MutualTls(new CredentialDirectory(directory));
    }

    /**
     * Credentials given as PEM texts, such as those of a client's connection document.
     *
     * @param certificate own certificate, then those up to the authority
     * @param key its key, PKCS#8
     * @param authorities certificates that the other side must be signed by
     * @throws IllegalArgumentException if a text can not be read; a key that is not the certificate's is told by the
     *     first call, whose handshake fails
     */
    public static MutualTls fromPem(String certificate, String key, String authorities) {
        try {
            Credential credential = Credential.fromPem(
                    certificate.getBytes(StandardCharsets.US_ASCII),
                    key.getBytes(StandardCharsets.US_ASCII),
                    authorities.getBytes(StandardCharsets.US_ASCII));
            return new MutualTls(() -> credential);
        } catch (GeneralSecurityException unusable) {
            throw new IllegalArgumentException("Not a usable credential: " + unusable.getMessage(), unusable);
        }
    }

    /** A channel that leads nowhere, so that the first one to somewhere is made faster. To be shut down. */
    public static ManagedChannel prepare() {
        try {
            SslContext context = GrpcSslContexts.configure(SslContextBuilder.forClient())
                    .protocols(PROTOCOL)
                    .build();
            return Keepalive.apply(NettyChannelBuilder.forTarget("localhost:1"))
                    .sslContext(context)
                    .build();
        } catch (SSLException unsupported) {
            throw new IllegalStateException("This Java runtime can not speak " + PROTOCOL, unsupported);
        }
    }

    /** Who this process is according to its own current certificate, or nothing if that carries no identity. */
    public Optional<Identity> identity() {
        return Identity.of(source.current().chain().get(0));
    }

    /**
     * TLS for servers that are not gRPC's, over the JDK's own implementation. It checks the certificates that callers
     * show; whether they must show one is said by the server's {@link javax.net.ssl.SSLParameters}.
     */
    public SSLContext serverContext() {
        return jdkContext(new RotatingTrustManager(source));
    }

    /**
     * TLS for clients that are not gRPC's: the other side must prove to be {@code authority}, whatever address is
     * dialled.
     */
    public SSLContext clientContext(String authority) {
        return jdkContext(new AuthorityTrustManager(new RotatingTrustManager(source), authority));
    }

    private SSLContext jdkContext(X509ExtendedTrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {new RotatingKeyManager(source)}, new TrustManager[] {trust}, null);
            context.getServerSessionContext().setSessionTimeout(1);
            context.getClientSessionContext().setSessionTimeout(1);
            return context;
        } catch (GeneralSecurityException unsupported) {
            throw new IllegalStateException("This Java runtime can not speak " + PROTOCOL, unsupported);
        }
    }

    @Override
    public ServerBuilder<?> serverBuilder(InetSocketAddress address, CallerPolicy policy) {
        return Keepalive.apply(NettyServerBuilder.forAddress(address))
                .sslContext(servers())
                .addTransportFilter(new IdentityFilter())
                .intercept(new CallerInterceptor(policy, MutualTls::identify));
    }

    @Override
    public ManagedChannelBuilder<?> channelBuilder(String target, String authority) {
        return Keepalive.apply(NettyChannelBuilder.forTarget(target))
                .sslContext(clientContext)
                .overrideAuthority(authority)
                .intercept(new DetachedCalls(), new RefusalInterceptor(target, new TlsRefusals(source)));
    }

    private static Identity identify(Attributes connection, Metadata headers) throws Refusal {
        Identity identity = connection.get(IDENTITY);
        if (identity == null) {
            throw new Refusal("the client certificate carries no single ratchet:// identity");
        }
        return identity;
    }

    private static Optional<X509Certificate> peerCertificate(SSLSession session) {
        try {
            return Optional.of((X509Certificate) session.getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    /** Reads the certificate once per connection instead of once per call. */
    private static final class IdentityFilter extends ServerTransportFilter {
        @Override
        public Attributes transportReady(Attributes connection) {
            return Optional.ofNullable(connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
                    .flatMap(MutualTls::peerCertificate)
                    .flatMap(Identity::of)
                    .map(identity ->
                            connection.toBuilder().set(IDENTITY, identity).build())
                    .orElse(connection);
        }
    }
}
