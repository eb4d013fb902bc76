/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
package dev.ratchet.protocol.security;

import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why a TLS handshake came to nothing. The alerts of TLS say little, and the same for several reasons; so this looks at
 * the own certificate as the other side will have done.
 */
final class TlsRefusals implements RefusalInterceptor.Explanation {

    /** This process does not trust the server; the message says what it shows, why that will not do, and the remedy. */
    static final class UntrustedServerException extends CertificateException {
        private static final long serialVersionUID = 1L;

        UntrustedServerException(X509Certificate shown, CertificateException refusal) {
            super(message(shown, CertificateFlaw.of(shown, refusal)), refusal);
        }

        private static String message(X509Certificate shown, CertificateFlaw flaw) {
            String remedy =
                    switch (flaw.kind()) {
                        case EXPIRED -> "Renew it there, or set the clock here";
                        case NOT_YET_VALID -> "Set the clock here or there";
                        case FOREIGN -> "Take ca.crt from a Secret of that cluster, or check the address";
                        case OTHERS_KEY, OTHER -> "Check the address";
                    };
            return "the certificate of " + CertificateFlaw.owner(shown) + ", which this process refuses: "
                    + flaw.reason() + ". " + remedy;
        }
    }

    private final CredentialSource source;

    TlsRefusals(CredentialSource source) {
        this.source = source;
    }

    @Override
    public String shown() {
        return "the certificate of "
                + CertificateFlaw.owner(source.current().chain().get(0));
    }

    @Override
    public String remedy() {
        return "Use one that was made for this cluster";
    }

    @Override
    public @Nullable String refusal(String target, Status status) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof UntrustedServerException untrusted) {
                return target + " shows " + untrusted.getMessage();
            }
            if (cause instanceof NotSslRecordException) {
                return target + " does not speak TLS. Use the token of that server (RATCHET_TOKEN_FILE) instead of"
                        + " certificates, or check the address";
            }
            if (cause instanceof SSLException && isAlert(cause)) {
                return ownRefused(target, CertificateFlaw.ofOwn(source.current()));
            }
        }
        // An alert can get lost, when the connection is cut right after it.
        Optional<CertificateFlaw> flaw =
                RefusalInterceptor.isCut(status) ? CertificateFlaw.ofOwn(source.current()) : Optional.empty();
        return flaw.isPresent() ? ownRefused(target, flaw) : null;
    }

    private static boolean isAlert(Throwable failure) {
        return String.valueOf(failure.getMessage()).toUpperCase(Locale.ROOT).contains("ALERT");
    }

    private String ownRefused(String target, Optional<CertificateFlaw> flaw) {
        String reason = flaw.map(CertificateFlaw::reason)
                .orElse("it is signed by " + source.current().chain().get(0).getIssuerX500Principal()
                        + ", whom that server does not trust, or the clocks differ");
        String remedy =
                switch (flaw.map(CertificateFlaw::kind).orElse(CertificateFlaw.Kind.OTHER)) {
                    case EXPIRED -> "Take the renewed one from its Secret";
                    case NOT_YET_VALID -> "Set the clock, or wait";
                    case FOREIGN, OTHERS_KEY -> "Take tls.crt, tls.key and ca.crt from one Secret";
                    case OTHER -> "Use one that was made for that cluster; the log of the server says more";
                };
        return target + " refused " + shown() + ": " + reason + ". " + remedy;
    }
}
