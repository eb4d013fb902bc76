/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.bench.futures;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A connection under mutual TLS 1.3 by the JDK alone, with the cipher that workers agree on. Takes buffers with arrays
 * only. Used by one thread.
 */
record TlsChannel(SSLSocket socket) implements ByteChannel {

    private static final char[] NO_PASSWORD = {};

    /**
     * Puts a connection under TLS.
     *
     * @param identity directory with {@code tls.crt}, {@code tls.key} and {@code ca.crt}
     */
    static TlsChannel over(SocketChannel plain, Path identity, boolean server) throws IOException {
        SSLSocket socket = (SSLSocket) context(identity)
                .getSocketFactory()
                .createSocket(plain.socket(), "localhost", plain.socket().getPort(), true);
        SSLParameters parameters = new SSLParameters(new String[] {"TLS_AES_128_GCM_SHA256"}, new String[] {"TLSv1.3"});
        parameters.setNeedClientAuth(true);
        socket.setUseClientMode(!server);
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return new TlsChannel(socket);
    }

    private static SSLContext context(Path identity) throws IOException {
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, NO_PASSWORD);
            own.setKeyEntry(
                    "own", key(identity.resolve("tls.key")), NO_PASSWORD, certificates(identity.resolve("tls.crt")));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, NO_PASSWORD);
            authorities.setCertificateEntry("authority", certificates(identity.resolve("ca.crt"))[0]);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException unusable) {
            throw new IOException("The certificates in " + identity + " can not be used: " + unusable, unusable);
        }
    }

    private static Certificate[] certificates(Path file) throws IOException, GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))
                .toArray(Certificate[]::new);
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String base64 = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("-----[A-Z ]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64)));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int read = socket.getInputStream()
                .read(target.array(), target.arrayOffset() + target.position(), target.remaining());
        if (read > 0) {
            target.position(target.position() + read);
        }
        return read;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = source.remaining();
        socket.getOutputStream().write(source.array(), source.arrayOffset() + source.position(), length);
        source.position(source.limit());
        return length;
    }

    @Override
    public boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
